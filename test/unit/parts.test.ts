import { EventEmitter, once } from 'node:events'
import t from 'tap'
import { superviseParts, type Part, type Supervisor, type SupervisorOptions } from '../../src/setup/parts.ts'

interface Supervised {
  lines: string[]
  reported: Map<string, string | null>
  supervisor: Supervisor
}

function part(name: string, more: Partial<Part> = {}): Part {
  return {
    name,
    ensure: async () => undefined,
    health: async () => ({ healthy: true, detail: null }),
    stop: async () => undefined,
    ...more,
  }
}

function supervised(parts: Part[], more: Partial<SupervisorOptions> = {}): Supervised {
  const lines: string[] = []
  const reported = new Map<string, string | null>()
  const write = (_: object, text: string): void => void lines.push(text)
  const report = async (name: string, healthy: boolean, detail: string | null): Promise<void> => {
    reported.set(name, healthy ? 'healthy' : detail)
  }
  const log = { info: write, warn: write }
  return { lines, reported, supervisor: superviseParts({ parts, report, log, everyMs: 1, ...more }) }
}

t.test('parts are made good in order, and one that fails does not keep the next from it', async t => {
  const order: string[] = []
  const ensure = (name: string) => async () => void order.push(name)
  const broken = part('router', {
    ensure: async () => {
      throw new Error('haproxy is not installed')
    },
  })
  const { supervisor, reported } = supervised([
    part('docker', { ensure: ensure('docker') }),
    broken,
    part('postgres', { ensure: ensure('postgres') }),
  ])
  await supervisor.check()
  t.strictSame(order, ['docker', 'postgres'])
  t.strictSame(Object.fromEntries(reported), {
    docker: 'healthy',
    router: 'haproxy is not installed',
    postgres: 'healthy',
  })
})

t.test('the log has a line only when something changed', async t => {
  let healthy = true
  const { supervisor, lines } = supervised([
    part('docker', { health: async () => ({ healthy, detail: healthy ? null : 'no answer' }) }),
  ])
  for (const next of [true, true, false, false, true, true]) {
    healthy = next
    await supervisor.check()
  }
  t.strictSame(lines, ['docker works', 'docker does not work', 'docker works again'])
})

t.test('a part that hangs is not asked twice, and the others go on', async t => {
  let asked = 0
  let release = (): void => undefined
  const hanging = part('docker', {
    ensure: () => {
      asked++
      return new Promise<void>(resolve => (release = resolve))
    },
  })
  const { supervisor, reported } = supervised([hanging, part('postgres')], { patienceMs: 5 })
  await supervisor.check()
  await supervisor.check()
  t.equal(asked, 1)
  t.match(reported.get('docker'), /still not ready/)
  t.equal(reported.get('postgres'), 'healthy')
  release()
  await supervisor.check()
  t.equal(reported.get('docker'), 'healthy')
})

t.test('rounds go on by themselves until they are ended, also when nothing can be written down', async t => {
  const rounds = new EventEmitter()
  const docker = part('docker', { ensure: async () => void rounds.emit('round') })
  const { supervisor, lines } = supervised([docker], {
    report: async () => {
      throw new Error('the control database is down')
    },
  })
  await supervisor.start()
  await once(rounds, 'round')
  await once(rounds, 'round')
  await supervisor.stop()
  t.strictSame(lines, ['docker works', 'the health of the parts could not be written down'])
})

t.test('parts are ended last one first, and one that cannot be ended is named', async t => {
  const order: string[] = []
  const stop = (name: string) => async () => void order.push(name)
  const stuck = part('router', {
    stop: async () => {
      throw new Error('no permission')
    },
  })
  const { supervisor } = supervised([
    part('docker', { stop: stop('docker') }),
    stuck,
    part('postgres', { stop: stop('postgres') }),
  ])
  t.strictSame(await supervisor.stopParts(), ['router'])
  t.strictSame(order, ['postgres', 'docker'])
})
