// The whole platform as a process of its own, for tests that kill it. Prints one line of JSON when it is ready.
import { readConfig } from '../../src/config.ts'
import { startPlatform } from '../../src/main.ts'

const platform = await startPlatform(readConfig())
process.stdout.write(`${JSON.stringify({ url: platform.url })}\n`)
process.on('SIGTERM', () => void platform.stop().then(() => process.exit(0)))
