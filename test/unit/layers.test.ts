import fc from 'fast-check'
import t from 'tap'
import { layersOf, type LayerNode } from '../../src/domain/layers.ts'
import { ResolveError } from '../../src/domain/resolve-error.ts'

const node = (name: string, ...references: string[]): LayerNode => ({ name, references })

t.test('what is referenced comes in an earlier layer', async t => {
  const nodes = [
    node('web', 'api.PRIVATE_URL', 'web.PUBLIC_URL', 'shared.X'),
    node('api', 'db.DATABASE_URL'),
    node('worker', 'db.DATABASE_URL', 'api.PORT'),
    node('admin', 'web.PORT', 'api.PORT'),
  ]
  t.same(layersOf(nodes), [
    { name: 'api', layer: 0, dependsOn: [] },
    { name: 'web', layer: 1, dependsOn: ['api'] },
    { name: 'worker', layer: 1, dependsOn: ['api'] },
    { name: 'admin', layer: 2, dependsOn: ['api', 'web'] },
  ])
})

t.test('what is referred to and not deployed is assumed up', async t => {
  t.same(layersOf([node('web', 'api.PORT'), node('auth', 'web.PORT')]), [
    { name: 'web', layer: 0, dependsOn: [] },
    { name: 'auth', layer: 1, dependsOn: ['web'] },
  ])
  t.same(layersOf([]), [])
})

t.test('a cycle is told in its order, without what merely depends on it', async t => {
  const nodes = [node('a', 'b.PORT'), node('b', 'd.PORT', 'c.PRIVATE_URL'), node('c', 'b.PRIVATE_HOST'), node('d')]
  t.throws(() => layersOf(nodes), {
    code: 'reference_cycle',
    details: { references: ['b.PRIVATE_HOST', 'c.PRIVATE_URL'] },
  })
})

t.test(
  'either every service has a layer after those it depends on, or there is a cycle of real references',
  async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const graph = fc.tuple(...names.map(() => fc.subarray(names)))
    fc.assert(
      fc.property(graph, edges => {
        const nodes = names.map((name, i) => node(name, ...(edges[i] ?? []).map(to => `${to}.PORT`)))
        try {
          const layers = new Map(layersOf(nodes).map(item => [item.name, item]))
          return names.every(name =>
            layers.get(name)?.dependsOn.every(to => layerOf(layers, to) < layerOf(layers, name)),
          )
        } catch (error) {
          if (!(error instanceof ResolveError)) throw error
          const circle = error.details.references.map(reference => reference.replace('.PORT', ''))
          return circle.every((to, i) => edges[names.indexOf(circle.at(i - 1) ?? '')]?.includes(to))
        }
      }),
    )
  },
)

function layerOf(layers: Map<string, { layer: number }>, name: string): number {
  return layers.get(name)?.layer ?? NaN
}
