// `npm start`, `npm run dev` and `cais serve`: the machine made ready, the platform started, and a clean end.
import { readConfig, type Config } from '../config.ts'
import { startPlatform } from '../main.ts'
import { announcer, secondsSince } from './announce.ts'
import { prepareMachine } from './machine.ts'

/** A second Ctrl-C this much later means it; npm and the terminal may each deliver the first one. */
const SAME_SIGNAL_MS = 1000
/** Parts are looked after every 5 s: two rounds, and a little. */
const READY_TIMEOUT_MS = 12_000

/** Runs the platform until a signal ends it. `defaults` stand in for environment variables that are not set. */
export async function serve(defaults: NodeJS.ProcessEnv = {}): Promise<void> {
  const config = readConfig(undefined, defaults)
  await prepareMachine(config, { needs: ['data-plane', 'images'] }, announcer())
  const startedAt = Date.now()
  const platform = await startPlatform(config)
  // Not ready is no reason to end: what is wrong is repaired when its cause goes away, and requests are answered meanwhile.
  const ready = await untilReady(platform.url).then(
    () => `✓ platform … ${secondsSince(startedAt)}`,
    (error: Error) => `✗ ${error.message}`,
  )
  process.stderr.write(`${ready}\n\n${describe(config, platform.url)}\n`)
  const signal = await endSignal()
  process.stderr.write(`\n${signal}: stopping the control plane.\n`)
  await platform.stop()
  if (config.runtime === 'docker') process.stderr.write(WHAT_GOES_ON)
  process.exit(0)
}

/** Waits until every essential part is well; throws what /readyz says when that takes too long. */
export async function untilReady(url: string): Promise<void> {
  for (const deadline = Date.now() + READY_TIMEOUT_MS; ;) {
    const answer = await fetch(`${url}/readyz`)
    if (answer.ok) return
    const { detail } = (await answer.json()) as { detail: string }
    if (Date.now() > deadline) throw new Error(`The platform is not ready: ${detail}`)
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

export const WHAT_GOES_ON = `The control plane has stopped. Applications, the router and the databases keep running, and the next start adopts them.
To stop them as well:  npm run -s cais -- down\n`

/** Resolves with the first SIGINT or SIGTERM. Another one, a second or more later, ends the process at once. */
export async function endSignal(): Promise<NodeJS.Signals> {
  return new Promise(resolve => {
    let firstAt = 0
    const onSignal = (signal: NodeJS.Signals): void => {
      if (firstAt === 0) {
        firstAt = Date.now()
        resolve(signal)
      } else if (Date.now() - firstAt > SAME_SIGNAL_MS) process.exit(130)
    }
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal)
  })
}

function describe(config: Config, url: string): string {
  const world = config.runtime === 'simulated' ? ' on the simulated world: no Docker, nothing real is deployed' : ''
  return `  API    ${url}/v1${world}
  Token  ${config.dataDir}/token
  Try    curl -H "Authorization: Bearer $(cat ${config.dataDir}/token)" ${url}/v1/me
  Stop   Ctrl-C\n`
}
