// In which order the services of a group are deployed (spec 4.2, rule 5; D-42): what is referenced comes first.
import { nameOf } from './references.ts'
import { ResolveError, rotateCycle } from './resolve-error.ts'

export interface LayerNode {
  readonly name: string
  /** All references of its environment, through shared variables too: see `reachableReferences`. */
  readonly references: readonly string[]
}

export interface LayerItem {
  name: string
  /** 0 comes first. */
  layer: number
  /** Services of the same group that come before this one, in alphabetical order. */
  dependsOn: string[]
}

/**
 * Layers of the services that are to be deployed. What is not among them is assumed up and orders nothing; databases are
 * no members. Sorted by layer and name. Throws ResolveError `reference_cycle`.
 */
export function layersOf(nodes: readonly LayerNode[]): LayerItem[] {
  const members = new Map(nodes.map(node => [node.name, node]))
  const waiting = new Map(Array.from(members.values(), node => [node.name, before(node, members)]))
  const items: LayerItem[] = []
  for (let layer = 0; waiting.size > 0; layer++) {
    const free = [...waiting].filter(([, names]) => names.every(name => !waiting.has(name)))
    if (free.length === 0) throw new ResolveError('reference_cycle', { references: findCycle(members, waiting) })
    for (const [name, names] of free.sort(([a], [b]) => (a < b ? -1 : 1))) items.push({ name, layer, dependsOn: names })
    for (const [name] of free) waiting.delete(name)
  }
  return items
}

function before(node: LayerNode, members: ReadonlyMap<string, LayerNode>): string[] {
  const names = new Set(node.references.map(nameOf))
  return [...names].filter(name => name !== node.name && members.has(name)).sort()
}

/** Every service still waiting waits for another one, so walking from any of them ends in a circle. */
function findCycle(members: ReadonlyMap<string, LayerNode>, waiting: ReadonlyMap<string, readonly string[]>): string[] {
  const path: string[] = []
  let [name = ''] = waiting.keys()
  while (!path.includes(name)) {
    path.push(name)
    name = waiting.get(name)?.find(next => waiting.has(next)) ?? name
  }
  const circle = path.slice(path.indexOf(name))
  const references = circle.map((from, i) => referenceTo(members.get(from), circle[i + 1] ?? name))
  return rotateCycle(references)
}

function referenceTo(node: LayerNode | undefined, target: string): string {
  return node?.references.find(reference => nameOf(reference) === target) ?? target
}
