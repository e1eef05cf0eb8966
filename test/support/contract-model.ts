// The contract as a small model: one team with one project, and what every call does to it. It says what a call must answer
// and what the API must show afterwards; it knows nothing of how the platform does it.

/** A status and a code, such as `409 name_taken`. */
export type Refusal = `${number} ${string}`

/** Plan hobby (spec 8). */
const PLAN = { services: 10, memoryMb: 4096, volumesGb: 20, databases: 3, deploys: 30, databaseQuotaMb: 10240 }
const PARALLEL = 4

export interface Variable {
  value: string
  sensitive: boolean
}

export interface Service {
  name: string
  memoryMb: number
  port: number
  /** null = private. */
  slug: string | null
  image: string | null
  variables: Map<string, Variable>
  volume: { mountPath: string; sizeGb: number } | null
  domains: string[]
  /** Oldest first. */
  deployments: Deployment[]
  /** The deployment that serves. */
  active: Deployment | null
  failedLast: boolean
  needsRedeploy: boolean
  /** When it last changed in a way that wants a redeploy (D-59). */
  changedAt: number
  gone: boolean
}

export interface Database {
  name: string
  quotaMb: number
  ready: boolean
  restored: boolean
  /** What references to it give, once it is ready. */
  credentials: Record<string, string>
  gone: boolean
}

export interface Backup {
  databaseName: string
  quotaMb: number
}

/** Text, or a variable of a database that is looked up again at a rollback (D-58). */
type Piece = string | { database: string; variable: string }

export interface Deployment {
  id: string
  service: Service
  status: 'queued' | 'building' | 'deploying' | 'ready' | 'failed' | 'canceled' | 'blocked'
  triggeredAt: number
  image: string | null
  port: number
  volume: Service['volume']
  frozen: Map<string, Piece[]>
  environment: Record<string, string>
  targets: (Service | Database)[]
  group: Group | null
  /** An older deployment of the service that finishes first (D-55). */
  waitsFor: Deployment | null
  /** Whoever triggered it lets it run. */
  started: boolean
}

export interface Item {
  service: Service
  deployment: Deployment | null
  layer: number
  dependsOn: Service[]
}

export interface Group {
  id: string
  status: 'running' | 'ready' | 'failed' | 'canceled' | 'superseded'
  items: Item[]
}

const isOpen = ({ status }: Deployment) => ['queued', 'building', 'deploying'].includes(status)
const isBad = ({ status }: Deployment) => ['failed', 'blocked', 'canceled'].includes(status)
const REFERENCE = /(\$?)\$\{\{(?:([a-z][a-z0-9-]*)\.([A-Za-z_]+)\}\})?/g

export class ContractModel {
  readonly services: Service[] = []
  readonly databases: Database[] = []
  readonly shared = new Map<string, Variable>()
  /** Newest first. */
  readonly backups: Backup[] = []
  readonly groups: Group[] = []
  deploys = 0
  private now = 0
  private readonly appsDomain: string

  constructor(slug: string, appsDomain: string) {
    this.appsDomain = appsDomain
    this.services.push(newService({ name: 'web', slug }))
  }

  service = (name: string) => this.services.find(one => one.name === name)
  database = (name: string) => this.databases.find(one => one.name === name)
  openOf = (service: Service) => service.deployments.filter(isOpen)

  // --- limits and names (spec 8; D-35)

  get used() {
    const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)
    return {
      services: this.services.length,
      memory_mb: sum(this.services.map(one => one.memoryMb)),
      volumes_gb: sum(this.services.map(one => one.volume?.sizeGb ?? 0)),
      databases: this.databases.length,
      deploys_per_hour: this.deploys,
      projects: 1,
    }
  }

  isNameTaken = (name: string) => [...this.services, ...this.databases].some(one => one.name === name)
  isSlugTaken = (slug: string) => this.services.some(one => one.slug === slug)

  refuseService({ name, memoryMb, slug }: { name: string; memoryMb: number; slug: string | null }): Refusal[] {
    const { services, memory_mb } = this.used
    return those([
      [this.isNameTaken(name), '409 name_taken'],
      [slug !== null && this.isSlugTaken(slug), '409 slug_taken'],
      [services >= PLAN.services || memory_mb + memoryMb > PLAN.memoryMb, '422 quota_exceeded'],
    ])
  }

  refuseDatabase({ name, quotaMb }: { name: string; quotaMb: number }): Refusal[] {
    const isFull = this.databases.length >= PLAN.databases || quotaMb > PLAN.databaseQuotaMb
    return those([
      [this.isNameTaken(name), '409 name_taken'],
      [isFull, '422 quota_exceeded'],
    ])
  }

  refuseQuota = (quotaMb: number) => those([[quotaMb > PLAN.databaseQuotaMb, '422 quota_exceeded']])

  refuseMemory(service: Service, memoryMb: number): Refusal[] {
    const sum = this.used.memory_mb - service.memoryMb + memoryMb
    return those([[memoryMb > service.memoryMb && sum > PLAN.memoryMb, '422 quota_exceeded']])
  }

  /** A volume never shrinks (D-43). */
  refuseVolume(service: Service, sizeGb: number): Refusal[] {
    const before = service.volume?.sizeGb ?? 0
    if (sizeGb < before) return ['400 invalid_request']
    return those([[this.used.volumes_gb - before + sizeGb > PLAN.volumesGb, '422 quota_exceeded']])
  }

  // --- what changes (D-37, D-59)

  /** A service that was never deployed stays as it is. */
  changed(service: Service): void {
    service.changedAt = ++this.now
    if (service.deployments.length > 0) service.needsRedeploy = true
  }

  changedSharedVariable(name: string): void {
    for (const service of this.services) if (this.reach(service).has(`shared.${name}`)) this.changed(service)
  }

  /** What a name stands for: whoever refers to it, directly or through shared variables. */
  changedTarget(...names: string[]): void {
    for (const service of this.services) {
      const reached = [...this.reach(service)].map(reference => reference.split('.')[0] ?? '')
      if (names.some(name => reached.includes(name))) this.changed(service)
    }
  }

  addService(made: Pick<Service, 'name' | 'memoryMb' | 'slug'>): void {
    this.services.push(newService(made))
  }

  removeService(service: Service): void {
    this.changedTarget(service.name)
    service.gone = true
    this.services.splice(this.services.indexOf(service), 1)
  }

  rename(service: Service, name: string): void {
    if (name === service.name) return
    const before = service.name
    service.name = name
    this.changed(service)
    this.changedTarget(before, name)
  }

  addDatabase(made: Pick<Database, 'name' | 'quotaMb' | 'restored'>): void {
    this.databases.push({ ...made, ready: false, credentials: {}, gone: false })
  }

  /** Name and place are free at once; there is a final backup of what was ever ready (D-61). */
  removeDatabase(database: Database, finalBackup: boolean): void {
    this.changedTarget(database.name)
    database.gone = true
    this.databases.splice(this.databases.indexOf(database), 1)
    if (finalBackup && database.ready) {
      this.backups.unshift({ databaseName: database.name, quotaMb: database.quotaMb })
    }
  }

  /** The instance stops, and the service is idle (D-62). */
  removeVolume(service: Service): void {
    service.volume = null
    service.active = null
    service.failedLast = false
    this.changed(service)
  }

  // --- references (spec 2.5; D-40 to D-42)

  /** All references of a service, through shared variables too. */
  reach(service: Service): Set<string> {
    const reached = new Set([...service.variables.values()].flatMap(({ value }) => referencesIn(value)))
    for (const reference of reached) {
      const [name, variable = ''] = reference.split('.')
      if (name === 'shared') referencesIn(this.shared.get(variable)?.value ?? '').forEach(next => reached.add(next))
    }
    return reached
  }

  dependsOn(service: Service): string[] {
    const names = [...this.reach(service)].map(reference => reference.split('.')[0] ?? '')
    return [...new Set(names)].filter(name => name !== service.name && name !== 'shared').sort()
  }

  /** What a value expands to. What keeps it from it goes into `faults`. */
  expand(value: string, faults: Set<string>, inside: string[] = []): Piece[] {
    const pieces: Piece[] = []
    let at = 0
    for (const found of value.matchAll(REFERENCE)) {
      const [whole, escape, name, variable = ''] = found
      pieces.push(value.slice(at, found.index))
      at = found.index + whole.length
      if (escape !== '') pieces.push(whole.slice(1))
      else if (name === undefined) faults.add('invalid_reference')
      else pieces.push(...this.lookUp(name, variable, faults, inside))
    }
    return [...pieces, value.slice(at)]
  }

  private lookUp(name: string, variable: string, faults: Set<string>, inside: string[]): Piece[] {
    if (name === 'shared') {
      const shared = this.shared.get(variable)
      if (inside.includes(variable)) faults.add('reference_cycle')
      else if (shared) return this.expand(shared.value, faults, [...inside, variable])
      else faults.add('unresolved_reference')
      return []
    }
    const service = this.service(name)
    if (service) {
      const url = service.slug === null ? '' : `https://${service.slug}.${this.appsDomain}`
      const known: Record<string, string> = {
        PORT: String(service.port),
        PRIVATE_URL: `http://${name}:${service.port}`,
        PUBLIC_URL: url,
      }
      const text = known[variable]
      if (text === undefined) faults.add('unresolved_reference')
      return [text ?? '']
    }
    const database = this.database(name)
    if (!database?.ready || database.credentials[variable] === undefined) {
      faults.add('unresolved_reference')
      return []
    }
    return [{ database: name, variable }]
  }

  /** Text, with the credentials of now; a database that is not there is a fault. */
  render(pieces: Piece[], faults: Set<string>): string {
    const texts = pieces.map(piece => {
      if (typeof piece === 'string') return piece
      const text = this.database(piece.database)?.credentials[piece.variable]
      if (text === undefined) faults.add('unresolved_reference')
      return text ?? ''
    })
    return texts.join('')
  }

  clear({ value }: Variable, inside: string[] = []): { value: string | null; errors: Set<string> } {
    const errors = new Set<string>()
    const text = this.render(this.expand(value, errors, inside), errors)
    return { value: errors.size > 0 ? null : text, errors }
  }

  // --- deployments (D-50, D-51, D-55 to D-58)

  statusOf(service: Service): 'idle' | 'deploying' | 'running' | 'failed' {
    if (this.openOf(service).length > 0) return 'deploying'
    if (service.active) return 'running'
    return service.failedLast ? 'failed' : 'idle'
  }

  private refuseBeyondDeploys = (count: number) => those([[this.deploys + count > PLAN.deploys, '429 rate_limited']])

  refuseDeployment(service: Service): Refusal[] {
    return [
      ...those([[this.openOf(service).length > 0, '409 deploy_in_progress']]),
      ...this.refuseEnvironment([service]),
      ...this.refuseBeyondDeploys(1),
    ]
  }

  refuseRollback(service: Service, target: Deployment): Refusal[] {
    const faults = new Set<string>()
    for (const pieces of target.frozen.values()) this.render(pieces, faults)
    return [
      ...those([
        [target.status !== 'ready', '409 nothing_to_rollback'],
        [this.openOf(service).length > 0, '409 deploy_in_progress'],
      ]),
      ...[...faults].map((fault): Refusal => `422 ${fault}`),
      ...this.refuseBeyondDeploys(1),
    ]
  }

  /** `names` = null: every service, and those without a source are skipped (T-15). */
  refuseGroup(names: string[] | null): Refusal[] {
    if (names?.some(name => !this.service(name))) return ['400 invalid_request']
    const members = this.membersOf(names)
    const others = members.flatMap(this.openOf).filter(one => !one.group || !this.isGivenUp(one.group))
    const hasCycle = this.layersOf(members) === null
    return [
      ...those([
        [others.length > 0, '409 deploy_in_progress'],
        [hasCycle, '422 reference_cycle'],
      ]),
      ...this.refuseEnvironment(members),
      ...this.refuseBeyondDeploys(members.filter(one => names !== null || one.image !== null).length),
    ]
  }

  // The running one is superseded by the new one in the same step; what it has deploying is waited for.
  private isGivenUp = ({ status }: Group) => status === 'superseded' || status === 'running'

  private refuseEnvironment(services: Service[]): Refusal[] {
    const faults = new Set<string>()
    for (const { variables } of services) {
      for (const { value } of variables.values()) this.render(this.expand(value, faults), faults)
    }
    return [...faults].map((fault): Refusal => `422 ${fault}`)
  }

  deploy(service: Service, id: string): Deployment {
    const deployment = this.open(service, id, null)
    this.start(deployment)
    return deployment
  }

  /** The artifact and the variables of then, with the credentials of now (D-58). */
  rollBack(service: Service, target: Deployment, id: string): Deployment {
    const deployment = this.open(service, id, null)
    const { image, port, frozen } = target
    const databases = [...frozen.values()].flat().flatMap(piece => (typeof piece === 'string' ? [] : [piece.database]))
    const targets = databases.flatMap(name => this.database(name) ?? [])
    Object.assign(deployment, { image, port, frozen, targets, environment: this.environmentOf(frozen, port) })
    this.start(deployment)
    return deployment
  }

  private open(service: Service, id: string, group: Group | null): Deployment {
    const frozen = new Map<string, Piece[]>()
    for (const [name, { value }] of service.variables) frozen.set(name, this.expand(value, new Set()))
    const names = new Set([...this.reach(service)].map(reference => reference.split('.')[0] ?? ''))
    const deployment: Deployment = {
      id,
      service,
      status: 'queued',
      triggeredAt: ++this.now,
      image: service.image,
      port: service.port,
      volume: service.volume && { ...service.volume },
      frozen,
      environment: this.environmentOf(frozen, service.port),
      targets: [...names].flatMap(name => this.service(name) ?? this.database(name) ?? []),
      group,
      waitsFor: this.openOf(service).at(0) ?? null,
      started: false,
    }
    service.deployments.push(deployment)
    this.deploys++
    return deployment
  }

  /** PORT is always the service's own (D-39). */
  private environmentOf(frozen: Map<string, Piece[]>, port: number): Record<string, string> {
    const values = [...frozen].map(([name, pieces]) => [name, this.render(pieces, new Set())] as const)
    return Object.fromEntries([...values, ['PORT', String(port)]])
  }

  private start(deployment: Deployment): void {
    deployment.started = true
    if (!deployment.waitsFor) deployment.status = 'building'
  }

  /** The world does the next thing for a deployment that is building or deploying. */
  advance(deployment: Deployment): void {
    const { image, targets } = deployment
    if (deployment.status === 'deploying') return this.end(deployment, image === CRASHES ? 'failed' : 'ready')
    const isLost = targets.some(target => target.gone)
    if (isLost || image === null || image === NO_BUILD) this.end(deployment, 'failed')
    else deployment.status = 'deploying'
  }

  private end(deployment: Deployment, status: 'ready' | 'failed' | 'canceled' | 'blocked'): void {
    const { service } = deployment
    deployment.status = status
    service.failedLast = status === 'failed'
    if (status === 'ready') {
      service.active = deployment
      // A change since the trigger is not in it.
      if (deployment.triggeredAt > service.changedAt) service.needsRedeploy = false
    }
    for (const next of this.openOf(service).filter(one => one.waitsFor === deployment)) {
      next.waitsFor = null
      if (next.started) next.status = 'building'
    }
    if (deployment.group) this.proceed(deployment.group)
  }

  // --- groups (spec 4.2, rule 5; D-54, D-55)

  private membersOf = (names: string[] | null) =>
    names === null ? this.services : this.services.filter(one => names.includes(one.name))

  /** Layer of each service, or null for a cycle. What is outside is assumed up. */
  private layersOf(members: Service[]): Map<Service, number> | null {
    const layers = new Map<Service, number>()
    const before = (service: Service) =>
      members.filter(other => other !== service && this.dependsOn(service).includes(other.name))
    while (layers.size < members.length) {
      const free = members.filter(one => !layers.has(one) && before(one).every(other => layers.has(other)))
      if (free.length === 0) return null
      const layer = Math.max(-1, ...layers.values()) + 1
      free.forEach(one => layers.set(one, layer))
    }
    return layers
  }

  /** `idOf` says which deployment is whose in the answer. */
  deployGroup(id: string, names: string[] | null, idOf: (service: Service) => string): Group {
    const members = this.membersOf(names)
    const layers = this.layersOf(members) ?? new Map<Service, number>()
    for (const running of this.groups.filter(group => group.status === 'running')) this.giveUp(running, 'superseded')
    const group: Group = { id, status: 'running', items: [] }
    this.groups.push(group)
    // In alphabetical order within a layer, as they are started.
    const order = [...members].sort((a, b) => (layers.get(a) ?? 0) - (layers.get(b) ?? 0) || (a.name < b.name ? -1 : 1))
    for (const service of order) {
      const isSkipped = names === null && service.image === null
      const deployment = isSkipped ? null : this.open(service, idOf(service), group)
      const dependsOn = members.filter(other => other !== service && this.dependsOn(service).includes(other.name))
      group.items.push({ service, deployment, layer: layers.get(service) ?? 0, dependsOn })
    }
    this.proceed(group)
    return group
  }

  /** What is queued or building ends canceled; what is deploying goes on. */
  giveUp(group: Group, status: 'canceled' | 'superseded'): void {
    if (group.status !== 'running') return
    group.status = status
    for (const { deployment } of group.items) {
      if (deployment && ['queued', 'building'].includes(deployment.status)) this.end(deployment, 'canceled')
    }
  }

  /** Blocks what cannot run any more, starts what may, and ends the group when nothing is open. */
  private proceed(group: Group): void {
    if (group.status !== 'running') return
    const deployed = group.items.flatMap(item => (item.deployment ? [{ ...item, deployment: item.deployment }] : []))
    const waiting = () => deployed.filter(({ deployment: one }) => one.status === 'queued' && !one.started)
    const bad = deployed.filter(({ deployment }) => isBad(deployment))
    const lowestBad = Math.min(...bad.map(item => item.layer))
    // Dependents are in later layers too, so both reasons of D-54 are about these.
    const blocked = waiting().filter(item => item.layer > lowestBad)
    for (const { deployment } of blocked) deployment.status = 'blocked'
    for (const { deployment } of blocked) this.end(deployment, 'blocked')
    const open = deployed.filter(({ deployment }) => isOpen(deployment))
    if (open.length === 0) {
      group.status = deployed.some(({ deployment }) => isBad(deployment)) ? 'failed' : 'ready'
      return
    }
    const layer = Math.min(...open.map(item => item.layer))
    const places = PARALLEL - open.filter(({ deployment }) => deployment.started).length
    const next = waiting().filter(item => item.layer === layer)
    for (const { deployment } of next.slice(0, Math.max(0, places))) this.start(deployment)
  }
}

/** Images of the simulated world. */
export const GOOD = 'simulated:ok'
export const CRASHES = 'simulated:crash'
export const NO_BUILD = 'simulated:build-oom'

function newService(made: { name: string; memoryMb?: number; slug: string | null }): Service {
  return {
    memoryMb: 512,
    ...made,
    port: 8080,
    image: null,
    variables: new Map(),
    volume: null,
    domains: [],
    deployments: [],
    active: null,
    failedLast: false,
    needsRedeploy: false,
    changedAt: 0,
    gone: false,
  }
}

function referencesIn(value: string): string[] {
  const found = [...value.matchAll(REFERENCE)].filter(([, escape, name]) => escape === '' && name !== undefined)
  return found.map(([, , name, variable]) => `${name}.${variable}`)
}

function those(rules: [applies: boolean, refusal: Refusal][]): Refusal[] {
  return rules.filter(([applies]) => applies).map(([, refusal]) => refusal)
}
