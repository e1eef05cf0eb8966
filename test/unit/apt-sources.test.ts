import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import t, { type Test } from 'tap'
import { aptSources } from '../../src/setup/apt-sources.ts'

async function host(test: Test, files: Record<string, string>): Promise<string> {
  const folder = test.testdir()
  await mkdir(path.join(folder, 'sources.list.d'))
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
  return folder
}

t.test("the host's Debian mirrors are read in both notations, and nobody else's", async t => {
  const folder = await host(t, {
    'sources.list':
      '# deb http://no/ bookworm main\ndeb [arch=amd64] http://one/debian bookworm main contrib\ndeb-src http://one/debian bookworm main\n',
    'sources.list.d/debian.sources': `Types: deb deb-src
# a remark
URIs: http://two/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /key

Types: deb
URIs: http://two/security
Suites: bookworm-security
Components: main

Enabled: no
Types: deb
URIs: http://off/
Suites: bookworm
Components: main
`,
    'sources.list.d/other.list': 'deb https://third/party nodistro main\n',
    'sources.list.d/old.save': 'deb http://saved/ bookworm main\n',
  })
  t.same(await aptSources('bookworm', folder), [
    'deb http://one/debian bookworm main',
    'deb http://two/debian bookworm main',
    'deb http://two/debian bookworm-updates main',
    'deb http://two/security bookworm-security main',
  ])
})

t.test('a host of another release has none for this one', async t => {
  const folder = await host(t, {
    'sources.list': 'deb http://x/ trixie main\ndeb http://x/ bookworm-security main\n',
  })
  t.same(await aptSources('bookworm', folder), [])
})
