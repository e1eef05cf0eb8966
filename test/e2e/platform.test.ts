// The whole platform on real Docker, as its customers and its operator see it: over HTTP, over public HTTPS, from inside
// containers, and with the operator's command. Needs root, Docker and the base images; its applications are its own.
import { once } from 'node:events'
import { access, readdir, readFile } from 'node:fs/promises'
import net from 'node:net'
import t, { type Test } from 'tap'
import { interfacePrefix } from '../../src/domain/addresses.ts'
import { databaseApp, dockerfileApp, plainApp, site, tarGz, zip } from '../support/applications.ts'
import { Customer, type Deployment, type Group, type Service } from '../support/customer.ts'
import { Installation, SAFE_LANES, type Load } from '../support/installation.ts'

const STABILITY_MS = 400
const DEPLOYS_UNDER_LOAD = 30
/** Longer than any build of this file needs, and shorter than what an application gets to answer (C-116). */
const BUILD_TIMEOUT_MS = 100_000
const BUILD_MEMORY_MB = 512
/** In the build steps of this file, so that what a build leaves can be told from what others leave. */
const MARK = 'cais-e2e-mark'
const LOCAL_IMAGE = 'cais-e2e-fixture/padaria:1'

interface Shop {
  path: string
  id: string
  /** Present for public services. */
  url: string
}

t.setTimeout(900_000)

void t.test('the platform', async t => {
  const home = await Installation.prepare('e2e', [213, 214], {
    CAIS_STABILITY_MS: String(STABILITY_MS),
    CAIS_BUILD_TIMEOUT_MS: String(BUILD_TIMEOUT_MS),
    CAIS_BUILD_MEMORY_MB: String(BUILD_MEMORY_MB),
    // One place is taken by the build that never ends.
    CAIS_CONCURRENT_BUILDS: '3',
  })
  t.teardown(async () => {
    await home.stop()
    await home.cais('down', '--purge').catch(() => undefined) // The last test did it, unless something failed before.
    await home.docker('rmi', '-f', LOCAL_IMAGE).catch(() => undefined)
  })
  await home.start()

  // As an operator would, while the platform runs.
  await home.cais('team', 'create', '--name', 'feira', '--plan', 'pro')
  const customer = new Customer(
    home.url,
    await home.cais('token', 'create', '--team', 'feira', '--scopes', 'all', '--expires', '1d'),
  )

  async function newProject(name: string): Promise<string> {
    const { id } = await customer.send<{ id: string }>('POST', '/projects', { name })
    return `/projects/${id}`
  }

  /** `web` is there already; every other service is made. */
  async function prepareService(project: string, name: string, fields: object = {}): Promise<Shop> {
    const made =
      name === 'web'
        ? await customer.send<Service>('PATCH', `${project}/services/web`, fields)
        : await customer.send<Service>('POST', `${project}/services`, { name, ...fields })
    return { path: `${project}/services/${made.id}`, id: made.id, url: made.public_url ?? '' }
  }

  async function ready(t: Test, deployment: Promise<Deployment>): Promise<Deployment> {
    const ended = await deployment
    t.match(ended, { status: 'ready' }, `the deployment is ready ${ended.error?.message ?? ''}`)
    return ended
  }

  /** The only container of a service, once what was retired is gone. */
  async function onlyContainer(shop: Shop): Promise<string> {
    const look = (): Promise<string[]> => home.containersOf(shop.id)
    const containers = await customer.until('one container', look, seen => seen.length === 1)
    return containers[0] ?? ''
  }

  /** What a public application sees of its network: its answer to one of the paths of applications.ts. */
  function ask<T>(shop: Shop, path: string, query: Record<string, string | string[]>): Promise<T> {
    const words = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    )
    return home.visitJson(shop.url, `/${path}?${new URLSearchParams(words).toString()}`)
  }

  /** Nothing failed, and unless it may, no answer was older than one before. Answers how many requests there were. */
  async function flawless(t: Test, loads: Load[], { backwards }: { backwards: 'never' | 'allowed' }): Promise<number> {
    const outcomes = await Promise.all(loads.map(async load => ({ name: load.name, ...(await load.stop()) })))
    for (const outcome of outcomes) {
      t.same(outcome.bad, {}, `${outcome.name}: no failure in ${outcome.good} requests`)
      t.ok(outcome.good > 5, `${outcome.name}: there was load`)
      if (backwards === 'never') t.equal(outcome.backwards, 0, `${outcome.name}: versions only move forward`)
    }
    return outcomes.reduce((sum, { good }) => sum + good, 0)
  }

  const quitanda = await newProject('Quitanda')
  const loja = await prepareService(quitanda, 'web')
  const estoque = await prepareService(quitanda, 'estoque')

  await t.test('by hand: a database, two uploads wired by references, and the answer over public HTTPS', async t => {
    const { id: db } = await customer.send<{ id: string }>('POST', `${quitanda}/databases`, {
      name: 'db',
      engine: 'postgres',
    })
    t.match(await customer.ended(`${quitanda}/databases/${db}`), { status: 'ready' })
    await customer.setVariables(`${quitanda}/shared-variables`, { SAUDACAO: 'bom dia' })
    await customer.setVariables(estoque.path, {
      DATABASE_URL: '${{db.DATABASE_URL}}',
      GREETING: '${{shared.SAUDACAO}}',
    })
    await customer.setVariables(loja.path, { ESTOQUE: '${{estoque.PRIVATE_URL}}', VERSION: '1' })
    t.same((await customer.get<Service>(loja.path)).depends_on, ['estoque'])

    const [stock] = await Promise.all([
      ready(t, customer.uploadAndWait(estoque.path, await tarGz(databaseApp))),
      ready(t, customer.uploadAndWait(loja.path, zip(plainApp))),
    ])
    t.match(
      await customer.text(`${estoque.path}/deployments/${stock.id}`),
      /npm install[^]*Imagem pronta/,
      'the build log',
    )
    const answer = await home.visit(loja.url, '/')
    t.match(answer, { status: 200, authorized: true, body: '{"version":1}' }, 'verified with the root of DATA_DIR')

    const { status, body } = await ask<{ status: number; body: string }>(loja, 'fetch', {
      url: 'http://estoque:8080/order',
    })
    t.equal(status, 200, 'the private name leads to the other service')
    const order = { total: 1, item: 'bom dia', tls: { ssl: true, version: 'TLSv1.3' } }
    t.same(JSON.parse(body), order, 'which wrote to and read from the database over TLS')

    const { id } = await customer.send<Group>('POST', `${quitanda}/deploy`)
    const group = await customer.groupEnded(`${quitanda}/group-deployments/${id}`)
    t.match(group, { status: 'ready' })
    const layers = Object.fromEntries(group.items.map(item => [item.service_name, item.layer]))
    t.same(layers, { estoque: 0, web: 1 })
    t.match(
      await ask(loja, 'fetch', { url: 'http://estoque:8080/order' }),
      { body: /"total":2/ },
      'data outlives versions',
    )
  })

  await t.test('by hand: an image of this machine, a Dockerfile, and a folder of files', async t => {
    const feirinha = await newProject('Feirinha')
    await buildLocalImage()
    const source = { type: 'image', ref: LOCAL_IMAGE }
    const [image, dockerfile, files] = [
      await prepareService(feirinha, 'web', { source }),
      await prepareService(feirinha, 'doca', { visibility: 'public', slug: 'doca' }),
      await prepareService(feirinha, 'folheto', { visibility: 'public', slug: 'folheto' }),
    ]
    await customer.setVariables(dockerfile.path, { VERSION: '7' })
    await Promise.all([
      ready(t, customer.deploy(image.path)),
      ready(t, customer.uploadAndWait(dockerfile.path, await tarGz(dockerfileApp('10001')))),
      ready(t, customer.uploadAndWait(files.path, zip(site))),
    ])
    t.match(await home.visit(image.url), { status: 200, body: '{"version":0}' })
    t.match(await home.visit(dockerfile.url), { status: 200, body: '{"version":7}' })
    t.match(await home.visit(files.url), { status: 200, body: /Feira de domingo/ })
    for (const { path } of [image, dockerfile, files])
      t.match(await customer.ended<Service>(path), { status: 'running' })
  })

  async function buildLocalImage(): Promise<void> {
    const { default: Docker } = await import('dockerode')
    const { Readable } = await import('node:stream')
    const docker = new Docker()
    const context = Readable.from([await tarGz(dockerfileApp('10001'))])
    const stream = await docker.buildImage(context, { t: LOCAL_IMAGE })
    await new Promise<void>((resolve, reject) =>
      docker.modem.followProgress(stream, error => (error ? reject(error) : resolve())),
    )
  }

  const feira = await newProject('Feira')
  const banca = await prepareService(feira, 'web')
  const caixa = await prepareService(feira, 'caixa')
  const freguesa = await prepareService(feira, 'freguesa', { visibility: 'public', slug: 'freguesa' })
  let version = 1

  await t.test(
    'C-152 kill -9 in the middle of a group, at four moments, changes nothing about how it ends',
    async t => {
      // Slow enough to be caught in the act.
      await customer.setVariables(caixa.path, { VERSION: '1', START_MS: '700', STOP_MS: '1500' })
      await customer.setVariables(banca.path, { VERSION: '1', CAIXA: '${{caixa.PRIVATE_URL}}' })
      const archive = await tarGz(plainApp)
      await Promise.all([banca, caixa, freguesa].map(shop => ready(t, customer.uploadAndWait(shop.path, archive))))
      const client = await onlyContainer(freguesa)
      const loads = [
        await home.publicLoad(banca.url, true),
        await home.publicLoad(banca.url, false),
        await home.privateLoad(client, 'caixa', true),
        await home.privateLoad(client, 'caixa', false),
      ]

      interface Moment {
        name: string
        reached: (deployment: Deployment) => Promise<unknown>
        /** Containers of the service right after the kill. */
        containers: number
      }
      const build = (deployment: Deployment): string => `${caixa.path}/deployments/${deployment.id}`
      const running = (): Promise<string[]> => home.containersOf(caixa.id, 'status=running')
      const served = async (): Promise<number> => {
        const { body } = await ask<{ body: string }>(freguesa, 'fetch', { url: 'http://caixa:8080/' })
        return (JSON.parse(body) as { version: number }).version
      }
      const moments: Moment[] = [
        {
          name: 'while it builds',
          reached: async deployment => {
            await customer.until(
              'a step runs',
              () => customer.text(build(deployment)),
              text => text.includes(`${MARK} begins`),
            )
          },
          containers: 1,
        },
        {
          name: 'while the new version starts',
          reached: () => customer.until('a second container', running, seen => seen.length === 2),
          containers: 2,
        },
        {
          name: 'inside the stability window',
          reached: () => customer.until('the new version answers', served, seen => seen === version),
          containers: 2,
        },
        {
          name: 'while the old version is retired',
          reached: deployment =>
            customer.until(
              'the new one is ready',
              () => customer.get<Deployment>(build(deployment)),
              seen => seen.status === 'ready',
            ),
          containers: 2,
        },
      ]
      for (const { name, reached, containers } of moments) {
        await t.test(name, async t => {
          version++
          const build_command = `echo "${MARK} begins ${version}"; sleep 1; echo "${MARK} ends"`
          await customer.send('PATCH', caixa.path, { build_command })
          for (const shop of [banca, caixa]) await customer.setVariables(shop.path, { VERSION: String(version) })
          const { id, items } = await customer.send<Group>('POST', `${feira}/deploy`, { services: ['web', 'caixa'] })
          const deploymentId = items.find(item => item.service_name === 'caixa')?.deployment_id ?? ''
          await reached(await customer.get(`${caixa.path}/deployments/${deploymentId}`))
          await home.kill()
          t.equal((await home.containersOf(caixa.id)).length, containers, 'it was caught in the act')
          await home.start()

          const group = await customer.groupEnded(`${feira}/group-deployments/${id}`)
          t.match(group, { status: 'ready', items: [{ status: 'ready' }, { status: 'ready' }] })
          for (const shop of [banca, caixa]) {
            const labels = await home.docker('inspect', '-f', '{{json .Config.Labels}}', await onlyContainer(shop))
            t.ok(
              group.items.some(item => labels.includes(`"cais.deployment":"${item.deployment_id}"`)),
              'and it is the new one',
            )
            t.match(await customer.ended<Service>(shop.path), { status: 'running', needs_redeploy: false })
          }
          t.match(await home.visitJson(banca.url), { version })
          t.equal(await served(), version)
        })
      }
      t.comment(`${await flawless(t, loads, { backwards: 'never' })} requests while the platform was killed four times`)
    },
  )

  const surda = await prepareService(feira, 'surda', { visibility: 'public', slug: 'surda' })
  await ready(t, customer.uploadAndWait(surda.path, await tarGz(plainApp)))
  await customer.setVariables(surda.path, { MODE: 'deaf' })
  // These take their two minutes beside the following tests.
  const deafness = await customer.send<Deployment>('POST', `${surda.path}/deployments`)
  const deafLoad = await home.publicLoad(surda.url, true)
  const errada = await prepareService(feira, 'errada')
  await customer.setVariables(errada.path, { MODE: 'elsewhere' })
  const perdida = await prepareService(feira, 'perdida', { healthcheck_path: '/missing' })
  const plain = await tarGz(plainApp)
  const unheard = [
    { path: surda.path, id: deafness.id, message: /em \/ na porta 8080.*conexão recusada/, status: 'running' },
    ...(await Promise.all([
      customer.upload(errada.path, plain).then(({ id }) => {
        return { path: errada.path, id, message: /em \/ na porta 8080.*conexão recusada/, status: 'failed' }
      }),
      customer.upload(perdida.path, plain).then(({ id }) => {
        return { path: perdida.path, id, message: /em \/missing na porta 8080.*HTTP 404/, status: 'failed' }
      }),
    ])),
  ]
  const lenta = await prepareService(feira, 'lenta', { visibility: 'public', slug: 'lenta' })
  await ready(t, customer.uploadAndWait(lenta.path, plain))
  await customer.send('PATCH', lenta.path, { build_command: `echo ${MARK}; sleep 600` })
  const slowness = await customer.send<Deployment>('POST', `${lenta.path}/deployments`)
  const slowLoad = await home.publicLoad(lenta.url, true)

  const shipped: Deployment[] = []
  await t.test('C-120 thirty deploys under load fail no request, through the public and the private name', async t => {
    const client = await onlyContainer(freguesa)
    const loads = [
      await home.publicLoad(banca.url, true),
      await home.publicLoad(banca.url, false),
      await home.privateLoad(client, 'web', true),
      await home.privateLoad(client, 'web', false),
    ]
    const times: number[] = []
    for (let turn = 0; turn < DEPLOYS_UNDER_LOAD; turn++) {
      version++
      await customer.setVariables(banca.path, { VERSION: String(version) })
      const startedAt = Date.now()
      const deployment = await customer.deploy(banca.path)
      times.push(Date.now() - startedAt)
      if (deployment.status !== 'ready') t.fail('a deployment failed', { deployment })
      shipped.push(deployment)
    }
    await onlyContainer(banca)
    const requests = await flawless(t, loads, { backwards: 'never' })
    t.match(await home.visitJson(banca.url), { version })
    times.sort((a, b) => a - b)
    const [median, worst] = [times[times.length >> 1], times.at(-1)]
    t.comment(
      `${requests} requests; trigger to ready: median ${median} ms, worst ${worst} ms, window ${STABILITY_MS} ms`,
    )
  })

  await t.test('C-121 a container has what it needs, and no more', async t => {
    t.match(await ask(loja, 'inside', {}), { uid: /^[1-9]\d*$/, tmpMb: 64, tmp: undefined, writable: [], root: 'ro' })
    const registry = new URL((await home.run('npm', 'config', 'get', 'registry')).trim())
    const world = `${registry.hostname}:${registry.port || (registry.protocol === 'https:' ? 443 : 80)}`
    // An address of documentation: nobody is there to refuse, so whoever does is the platform.
    const mail = [25, 465, 587].map(port => `192.0.2.77:${port}`)
    const doors = await ask<Record<string, string>>(loja, 'connect', { to: [...mail, '192.0.2.77:443', world] })
    for (const door of mail) t.equal(doors[door], 'ECONNREFUSED', door)
    t.not(doors['192.0.2.77:443'], 'ECONNREFUSED')
    t.equal(doors[world], 'open', 'the world outside')
  })

  await t.test('C-122 C-093 two projects cannot reach each other, and databases have no private name', async t => {
    const espia = await prepareService(feira, 'espia', { visibility: 'public', slug: 'espia' })
    await ready(t, customer.uploadAndWait(espia.path, await tarGz(databaseApp)))
    const { address: vip } = await ask<{ address: string }>(loja, 'lookup', { name: 'estoque' })
    const container = await onlyContainer({ ...estoque })
    const address = await home.addressOf(container)
    const networks = JSON.parse(
      await home.docker('inspect', '-f', '{{json .NetworkSettings.Networks}}', container),
    ) as Record<string, { Gateway: string }>
    const gateway = Object.values(networks)[0]?.Gateway ?? ''
    const host = net.createServer().listen(0, '0.0.0.0')
    t.teardown(() => void host.close())
    await once(host, 'listening')
    const { port } = host.address() as net.AddressInfo

    t.match(await ask(loja, 'fetch', { url: 'http://estoque:8080/' }), { status: 200 }, 'their own may')
    t.match(await ask(espia, 'fetch', { url: 'http://estoque:8080/' }), { code: 'ENOTFOUND' }, 'by name')
    for (const shop of [loja, espia]) t.match(await ask(shop, 'lookup', { name: 'db' }), { code: 'ENOTFOUND' })
    const doors = { VIP: `${vip}:8080`, container: `${address}:8080`, gateway: `${gateway}:${port}` }
    const [inside, outside] = [
      await ask<Record<string, string>>(loja, 'connect', { to: Object.values(doors) }),
      await ask<Record<string, string>>(espia, 'connect', { to: Object.values(doors) }),
    ]
    for (const [name, door] of Object.entries(doors)) t.match(outside[door], /EHOSTUNREACH|timeout/, name)
    t.match(
      inside,
      { [doors.VIP]: 'open', [doors.container]: 'open', [doors.gateway]: 'EHOSTUNREACH' },
      'their own may',
    )

    const variables = await customer.get<{ items: { name: string; value: string }[] }>(
      `${estoque.path}/variables?resolved=true`,
    )
    const url = variables.items.find(variable => variable.name === 'DATABASE_URL')?.value ?? ''
    t.match(
      await ask(espia, 'order', { url }),
      { error: /no pg_hba.conf entry/ },
      'the database, with its own credentials',
    )
    const own = await ask<{ body: string }>(loja, 'fetch', {
      url: `http://estoque:8080/order?${new URLSearchParams({ url }).toString()}`,
    })
    t.match(own.body, /"total":3/, 'which are good')
  })

  const oficina = await newProject('Oficina')
  const torno = await prepareService(oficina, 'web')

  await t.test('C-117 C-118 C-119 a version that cannot run leaves the old one serving, and says why', async t => {
    const good = await tarGz(plainApp)
    await customer.setVariables(torno.path, { VERSION: '1' })
    await ready(t, customer.uploadAndWait(torno.path, good))
    const cases = [
      {
        mode: 'crash',
        code: 'activate_app_crashed',
        message: /encerrou logo ao iniciar \(código de saída 3\)/,
        log: /faltou a chave do pagamento/,
      },
      {
        mode: 'readonly',
        code: 'activate_readonly_write',
        message: /tentou gravar em \/app, que é somente leitura/,
        log: /EROFS/,
      },
      {
        mode: 'crash-later',
        code: 'crashed_after_start',
        message: /iniciou e encerrou em seguida \(código de saída 4\)/,
        log: /acabou o papel da impressora/,
      },
      {
        mode: 'one-answer',
        code: 'crashed_after_start',
        message: /iniciou e encerrou em seguida \(código de saída 4\)/,
        log: /acabou o papel da impressora/,
      },
      { mode: 'root', code: 'image_requires_root', message: /precisa do usuário root/, log: null },
    ]
    for (const { mode, code, message, log } of cases) {
      await t.test(mode, async t => {
        const loads = [
          await home.publicLoad(torno.url, true, SAFE_LANES),
          await home.publicLoad(torno.url, false, SAFE_LANES),
        ]
        await customer.setVariables(torno.path, { MODE: mode, VERSION: '2' })
        const archive = mode === 'root' ? await tarGz(dockerfileApp(null)) : good
        const deployment = await customer.uploadAndWait(torno.path, archive)
        t.match(deployment, { status: 'failed', error: { code, message } })
        t.match(await customer.ended<Service>(torno.path), { status: 'running' })
        t.match(await home.visitJson(torno.url), { version: 1 })
        await onlyContainer(torno)
        await flawless(t, loads, { backwards: 'allowed' })
        if (log) t.match(await customer.text(torno.path), log, 'its last words are in the log')
      })
    }
    await customer.send('PATCH', torno.path, { build: { user: '10001' } })
    await ready(t, customer.uploadAndWait(torno.path, await tarGz(dockerfileApp(null))))
    t.match(await home.visitJson(torno.url), { version: 2 }, 'with build.user, the image of root runs')
  })

  await t.test('C-128 a build that wants too much memory leaves the old version serving', async t => {
    const load = await home.publicLoad(torno.url, true)
    const greedy = `echo ${MARK}; node -e "for (const all = [];;) all.push(Buffer.alloc(1e7, 1))"`
    await customer.send('PATCH', torno.path, { build_command: greedy })
    const deployment = await customer.uploadAndWait(torno.path, plain)
    t.match(deployment, { status: 'failed', error: { code: 'build_oom', message: /ficou sem memória/ } })
    t.match(await customer.get<Service>(torno.path), { status: 'running' })
    await flawless(t, [load], { backwards: 'never' })
  })

  await t.test('C-116 a redirect is an answer', async t => {
    await customer.send('PATCH', torno.path, { build_command: null, healthcheck_path: '/moved' })
    await ready(t, customer.uploadAndWait(torno.path, plain))
  })

  await t.test('a rollback brings back an earlier version with its variables', async t => {
    const target = shipped.at(-2)?.id ?? ''
    const { id } = await customer.send<Deployment>('POST', `${banca.path}/deployments/${target}/rollback`)
    t.match(await customer.ended(`${banca.path}/deployments/${id}`), { status: 'ready', rollback_of: target })
    t.match(await home.visitJson(banca.url), { version: version - 1 })
    const { items } = await customer.get<{ items: Deployment[] }>(`${torno.path}/deployments`)
    const failed = items.find(deployment => deployment.status === 'failed')?.id
    const refusal = { status: 409, code: 'nothing_to_rollback' }
    await t.rejects(customer.send('POST', `${torno.path}/deployments/${failed}/rollback`), refusal)
  })

  await t.test('a secret never shows in a log, plain or in base64, at build or at run time', async t => {
    const secret = `pa5Sf-${Math.random().toString(36).slice(2)}-${'x9'.repeat(6)}`
    const cofre = await prepareService(oficina, 'cofre', {
      build_command: `echo ${MARK}; echo "senha $(cat senha.txt)"; base64 -w0 senha.txt; echo; echo fim do build`,
    })
    await customer.setVariables(cofre.path, { SECRET: secret }, true)
    await customer.setVariables(cofre.path, { MODE: 'secret' })
    const { id } = await ready(t, customer.uploadAndWait(cofre.path, await tarGz({ ...plainApp, 'senha.txt': secret })))
    const build = await customer.text(`${cofre.path}/deployments/${id}`)
    const look = (): Promise<string> => customer.text(cofre.path)
    const runtime = await customer.until('its words', look, text => text.includes('fim dos segredos'))
    t.match(build, /senha \S+[^]*fim do build/)
    t.match(runtime, /o segredo é [^]*em base64 [^]*no meio [^]*em duas partes /)
    // Whatever stands around it, base64 shows these characters of it.
    const inner = Buffer.from(`ab${secret}cd`).toString('base64').slice(4, -4)
    for (const text of [build, runtime]) {
      t.notOk(text.includes(secret), 'plain')
      t.notOk(text.includes(Buffer.from(secret).toString('base64').replace(/=+$/, '')), 'base64')
      t.notOk(text.includes(inner), 'base64 of something around it')
    }
  })

  await t.test('C-128 a build that takes too long is ended, and the old version goes on serving', async t => {
    const ended = await customer.ended<Deployment>(`${lenta.path}/deployments/${slowness.id}`, 150_000)
    t.match(ended, { status: 'failed', error: { code: 'build_timeout', message: /tempo máximo de 1,7 minutos/ } })
    t.match(await customer.ended<Service>(lenta.path), { status: 'running' })
    await flawless(t, [slowLoad], { backwards: 'never' })
  })

  await t.test('C-116 who listens nowhere, elsewhere, or says 404 is given up after two minutes', async t => {
    for (const { path, id, message, status } of unheard) {
      const ended = await customer.ended<Deployment>(`${path}/deployments/${id}`, 150_000)
      t.match(ended, { status: 'failed', error: { code: 'activate_no_http', message } })
      t.match(await customer.ended<Service>(path), { status })
    }
    await flawless(t, [deafLoad], { backwards: 'never' })
  })

  await t.test('what is killed comes back within seconds, with the same routes', async t => {
    const before = { version: version - 1 }
    for (const daemon of ['haproxy', 'dns'] as const) {
      const pid = await home.pidOf(daemon)
      const startedAt = Date.now()
      process.kill(pid, 'SIGKILL')
      await customer.until(
        `another ${daemon}`,
        () => home.pidOf(daemon).catch(() => pid),
        seen => seen !== pid,
        15_000,
      )
      const look = (): Promise<object> => ask(freguesa, 'fetch', { url: 'http://web:8080/' })
      const expected = JSON.stringify({ status: 200, body: JSON.stringify(before) })
      await customer.until('the private name', look, seen => JSON.stringify(seen) === expected, 15_000)
      t.match(await home.visitJson(banca.url), before)
      t.comment(`${daemon} was back after ${Date.now() - startedAt} ms`)
    }
    const container = await onlyContainer(banca)
    const startedAt = Date.now()
    await home.docker('kill', '-s', 'KILL', container)
    await customer.until(
      'it answers again',
      () => home.visit(banca.url),
      seen => seen.status === 200,
    )
    t.comment(`the application was back after ${Date.now() - startedAt} ms`)
    t.match(await home.visitJson(banca.url), before)
    t.match(await customer.get(banca.path), { status: 'running' })
    t.equal((await home.containersOf(banca.id, 'status=running')).length, 1)
  })

  await t.test('after `down --purge` nothing of the installation is left', async t => {
    await t.rejects(home.cais('down', '--purge'), /control plane of this installation runs/, 'not while it runs')
    await home.stop()
    t.match(await home.visit(banca.url), { status: 200 }, 'applications go on without the control plane')
    await home.cais('down', '--purge')
    const label = `label=cais.instance=${home.instance}`
    t.equal(await home.docker('ps', '-aq', '--filter', label), '', 'no container')
    t.equal(await home.docker('network', 'ls', '-q', '--filter', label), '', 'no network')
    t.equal(await home.docker('volume', 'ls', '-q', '--filter', label), '', 'no volume')
    t.equal(await home.docker('images', '-q', '--filter', label), '', 'no image')
    t.equal(await home.docker('images', '-q', '--filter', `reference=${home.instance}/*`), '', 'no name of an image')
    t.same(await markedLayers(), [], 'no layer of a build')
    const names = (await readdir('/sys/class/net')).filter(name => name.startsWith(interfacePrefix(home.instance)))
    t.same(names, [], 'no interface')
    t.notMatch(
      await home.run('nft', 'list', 'tables'),
      new RegExp(`inet ${home.instance}\n`),
      'no table of the packet filter',
    )
    t.same(await processesOf(home), [], 'no process')
    for (const folder of [home.dataDir, `/run/cais-${home.instance}`])
      await t.rejects(access(folder), { code: 'ENOENT' })
  })

  /** Images of any kind whose last step carries the mark of this file. */
  async function markedLayers(): Promise<string[]> {
    const ids = (await home.docker('images', '-aq', '--no-trunc')).split('\n').filter(Boolean)
    const steps = await Promise.all(
      ids.map(async id => ({
        id,
        step: await home.docker('inspect', '-f', '{{json .ContainerConfig.Cmd}}', id).catch(() => ''),
      })),
    )
    return steps.filter(({ step }) => step.includes(MARK)).map(({ id }) => id)
  }
})

async function processesOf({ dataDir, instance }: Installation): Promise<string[]> {
  const marks = [dataDir, `/run/cais-${instance}`, `postgres: ${instance}: `]
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.map(line => line.replaceAll('\0', ' ').trim()).filter(line => marks.some(mark => line.includes(mark)))
}
