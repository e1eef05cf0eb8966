#!/usr/bin/env node
// The operator's command, on a bare clone as well as in the compiled image.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fail, prepareNode } from '../setup/packages.mjs'

try {
  await prepareNode()
  const compiled = existsSync(fileURLToPath(new URL('program.js', import.meta.url)))
  const { run } = await import(compiled ? './program.js' : './program.ts')
  await run(process.argv)
} catch (error) {
  fail(error)
}
