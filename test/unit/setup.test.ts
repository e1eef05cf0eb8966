import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { readConfig } from '../../src/config.ts'
import { announcer } from '../../src/setup/announce.ts'
import { packFolder } from '../../src/setup/archive.ts'
import { installCommand } from '../../src/setup/debian-packages.ts'
import { nextSteps } from '../../src/setup/next-steps.ts'
import { TapReader, type FileResult } from '../../src/setup/tap-summary.ts'

async function folder(t: Test, files: Record<string, string>): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'cais-unit-'))
  t.teardown(() => rm(made, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(made, name)), { recursive: true })
    await writeFile(path.join(made, name), text)
  }
  return made
}

function read(text: string): FileResult[] {
  const results: FileResult[] = []
  const reader = new TapReader(result => results.push(result))
  for (const line of text.split('\n')) reader.line(line)
  return results
}

t.test('the same content packs to the same bytes, whenever and wherever it lies', async t => {
  const files = { 'server.js': 'a', 'lib/b.js': 'b', 'node_modules/x/index.js': 'left out' }
  const [one, other] = [await folder(t, files), await folder(t, files)]
  await utimes(path.join(other, 'server.js'), 1, 1)
  const packed = await packFolder(one)
  t.equal(packed.sha256, (await packFolder(other)).sha256)
  await writeFile(path.join(one, 'node_modules/x/index.js'), 'changed')
  t.equal(packed.sha256, (await packFolder(one)).sha256)
  await writeFile(path.join(other, 'lib/b.js'), 'changed')
  t.not(packed.sha256, (await packFolder(other)).sha256)
})

t.test('a step is announced with its time, a failed one as failed', async t => {
  const said: string[] = []
  const announce = announcer({ line: text => said.push(text), transient: () => {} })
  t.equal(await announce('docker engine', async () => 7), 7)
  await t.rejects(
    announce('base image', async () => {
      throw new Error('no room')
    }),
    /no room/,
  )
  t.match(said, [/^✓ docker engine … \d+\.\d s$/, /^✗ base image … failed after \d+\.\d s$/])
})

t.test('the command that a person would type is one line', async t => {
  t.equal(
    installCommand(['haproxy', 'nftables']),
    'apt-get update && apt-get install -y --no-install-recommends haproxy nftables',
  )
})

t.test('the commands at the end of the demo find the same installation', async t => {
  const config = readConfig({ DATA_DIR: 'elsewhere', HTTPS_PORT: '8443', CAIS_MASTER_KEY: 'ab'.repeat(32) })
  const shown = {
    url: 'http://127.0.0.1:3000',
    publicUrl: 'https://loja.apps.localhost:8443/',
    projectId: 'p',
    token: 't',
  }
  const text = nextSteps(config, shown)
  t.match(text, 'curl --cacert elsewhere/ca/root.crt https://loja.apps.localhost:8443/')
  t.match(text, /DATA_DIR=\S+elsewhere HTTPS_PORT=8443 npm run -s cais -- token create/)
  t.notMatch(text, 'abab')
})

t.test('tests are counted one level below their file, and what failed keeps its diagnosis', async t => {
  const [result] = read(`TAP version 14
# Subtest: test/unit/a.test.ts
    # Subtest: adds
        ok 1 - one
        1..1
    ok 1 - adds # time=1.5ms
    
    # Subtest: divides
        not ok 1 - by zero
          ---
          found: Infinity
          ...
        1..1
    not ok 2 - divides # time=2ms
    
    1..2
not ok 1 - test/unit/a.test.ts # time=2500ms`)
  t.match(result, { name: 'test/unit/a.test.ts', passed: 1, failed: 1, seconds: 2.5 })
  t.equal(result?.failures[0]?.name, 'divides')
  t.match(result?.failures[0]?.lines.join('\n'), /by zero[^]*found: Infinity/)
})

t.test('what was skipped, crashed or empty has not passed', async t => {
  const results = read(`# Subtest: test/a.test.ts
    ok 1 - needs docker # SKIP no docker
    1..1
ok 1 - test/a.test.ts # time=5ms
# Subtest: test/b.test.ts
    1..0
not ok 2 - test/b.test.ts # time=5ms
# Subtest: test/c.test.ts
    1..0
ok 3 - test/c.test.ts # time=5ms`)
  t.strictSame(
    results.map(({ passed, failed }) => [passed, failed]),
    [
      [0, 1],
      [0, 1],
      [0, 1],
    ],
  )
})
