// `npm run demo | start | dev | test` on a bare clone: makes Node ready, then hands over to the program itself.
import { fail, prepareNode } from './packages.mjs'

const programs = {
  demo: () => import('./demo.ts').then(program => program.demo()),
  start: () => import('./serve.ts').then(program => program.serve()),
  dev: () => import('./serve.ts').then(program => program.serve({ CAIS_RUNTIME: 'simulated', DATA_DIR: '.data-dev' })),
  test: () => import('./test.ts').then(program => program.test(process.argv.slice(3))),
}

const name = process.argv[2] ?? ''
const program = programs[name]
if (!program) fail(new Error(`Usage: node src/setup/run.mjs ${Object.keys(programs).join(' | ')}`))

try {
  await prepareNode()
  await program()
} catch (error) {
  fail(error)
}
