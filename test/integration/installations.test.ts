// Git installations: made by the operator, read by their team, named by services (C-058).
import { Readable } from 'node:stream'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import t from 'tap'
import { createInstallation, removeInstallation, type InstallationOptions } from '../../src/cli/installations.ts'
import { ensureKeyring } from '../../src/setup/keyring.ts'
import { newId } from '../../src/domain/ids.ts'
import { startApi, type Api } from '../support/api.ts'

const KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk=\n-----END OPENSSH PRIVATE KEY-----'
const MASTER_KEY = 'ab'.repeat(32)

/** As the command would: the secret on stdin, the id on stdout. */
async function install(api: Api, secret: string, options: Partial<InstallationOptions> = {}): Promise<string> {
  const config = { ...api.config, masterKey: MASTER_KEY }
  const whole = {
    team: `team ${api.teamId}`,
    provider: 'github',
    account: 'ana',
    repositories: 'ana/loja:main,ana/api',
  }
  await createInstallation(api.db, config, { ...whole, ...options }, Readable.from([secret]))
  const { rows } = await api.db.raw('select id from git_installation order by id desc limit 1')
  return rows[0].id
}

void t.test('C-058 a git source names an installation of the team and a repository of it', async t => {
  const api = await startApi(t)
  const { client, db } = api
  t.strictSame((await client.get('/git-installations')).body, { items: [], next_cursor: null, has_more: false })
  const id = await install(api, 'ghp_token\n')
  const shown = await client.get('/git-installations')
  t.match(shown.body.items, [
    {
      id,
      provider: 'github',
      account: 'ana',
      repositories: [
        { full_name: 'ana/loja', default_branch: 'main' },
        { full_name: 'ana/api', default_branch: 'main' },
      ],
      created_at: /Z$/,
    },
  ])
  t.notMatch(shown.text, /ghp_token/)
  const { rows } = await db.raw('select secret from git_installation')
  t.notMatch(rows[0].secret.toString('latin1'), /ghp_token/, 'sealed')
  const keyring = await ensureKeyring(db, { ...api.config, masterKey: MASTER_KEY })
  t.equal(keyring.open(rows[0].secret, id), 'ghp_token')

  const web = `/projects/${(await client.project('loja')).id}/services/web`
  const patch = (source: object, more = {}) => client.patch(web, { source: { type: 'git', ...source }, ...more })
  const good = await patch({ installation_id: id, root_dir: 'apps/web' }, { auto_deploy: true })
  t.match(good, { status: 200, body: { source: { installation_id: id, repo: null, root_dir: 'apps/web' } } })
  t.equal((await patch({ repo: 'ana/api', branch: 'dev' })).status, 200)
  for (const source of [{ installation_id: newId() }, { repo: 'eva/loja' }, { root_dir: '../x' }])
    t.match(await patch(source), { status: 400, body: { error: 'invalid_request' } }, JSON.stringify(source))
  t.equal((await client.patch(web, { port: 3000 })).status, 200, 'what is there is not asked about again')
  const created = (installation_id: string) =>
    client.post(web.replace(/\/web$/, ''), { name: 'api', source: { type: 'git', installation_id } })
  t.equal((await created(newId())).status, 400)
  t.equal((await created(id)).status, 201)

  const stranger = (await api.newTeam()).client
  t.strictSame((await stranger.get('/git-installations')).body.items, [])
  const theirs = `/projects/${(await stranger.project('outra')).id}/services/web`
  t.equal((await stranger.patch(theirs, { source: { type: 'git', installation_id: id } })).status, 400)

  await t.rejects(removeInstallation(db, id), /still deployed from it \(2\)/)
  await client.patch(web, { source: null, auto_deploy: false })
  await client.patch(web.replace(/web$/, 'api'), { source: null })
  await removeInstallation(db, id)
  t.strictSame((await client.get('/git-installations')).body.items, [])
})

void t.test(
  'generic installations take a token over https or a deploy key over ssh, and say what is wrong',
  async t => {
    const api = await startApi(t)
    const knownHosts = path.join(t.testdir(), 'known_hosts')
    await writeFile(knownHosts, 'git.example.com ssh-ed25519 AAAA\n')
    const ssh = { provider: 'generic', url: 'ssh://git@git.example.com/', knownHosts }
    const id = await install(api, `${KEY}\r\n`, ssh)
    const { rows } = await api.db.raw('select * from git_installation where id = ?', [id])
    t.match(rows[0], { base_url: 'ssh://git@git.example.com', auth: 'ssh_key', known_hosts: /ssh-ed25519/ })
    await install(api, '', { provider: 'generic', url: 'https://git.example.com', public: true })

    const wrong: [string, Partial<InstallationOptions>, RegExp][] = [
      [KEY, ssh, /already/],
      ['x', { ...ssh, account: 'eva' }, /needs a private key/],
      [KEY, { account: 'eva' }, /of no use over https/],
      [KEY, { account: 'eva', provider: 'generic', url: ssh.url }, /--known-hosts/],
      ['', { account: 'eva' }, /on stdin/],
      ['x', { provider: 'svn' }, /not a provider/],
      ['x', { provider: 'generic' }, /needs --url/],
      ['x', { url: 'https://user:secret@host' }, /not an address/],
      ['x', { url: 'file:///etc' }, /not an address/],
      ['x', { repositories: '../etc' }, /not a repository/],
      ['x', { repositories: 'a/b,a/b' }, /twice/],
      ['x', { team: 'nobody' }, /no team/],
    ]
    for (const [secret, options, error] of wrong) await t.rejects(install(api, secret, options), error)
  },
)
