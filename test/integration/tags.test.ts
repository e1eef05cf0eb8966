// Entity tags (D-07, D-08): a list that did not change has the tag it had, and a change needs the tag of now.
import t from 'tap'
import { startApi, type Client } from '../support/api.ts'

const PUT_VALUE = { value: 'x' }

async function variables(client: Client, names: string[]): Promise<string> {
  const { id } = await client.project('loja')
  const path = `/projects/${id}/services/web/variables`
  const wanted = names.map(name => ({ name, ...PUT_VALUE }))
  const saved = await client.put(path, { variables: wanted })
  if (saved.status !== 200) throw new Error(saved.text)
  return path
}

const tagOf = async (client: Client, path: string) => (await client.get(path)).headers.get('etag') ?? ''

t.test('a page that is not the last keeps its tag while nothing changes (D-05, D-07, C-150)', async t => {
  const { client } = await startApi(t)
  const path = `${await variables(client, ['A', 'B', 'C'])}?limit=2`
  const first = await client.get(path)
  t.ok(first.body.has_more)
  const again = await client.get(path, { 'if-none-match': first.headers.get('etag') ?? '' })
  t.match(again, { status: 304, text: '' })
  const head = await client.send('HEAD', path)
  t.equal(head.headers.get('etag'), first.headers.get('etag'))
  await client.put(`${path.slice(0, path.indexOf('?'))}/A`, { value: 'y' })
  t.equal((await client.get(path, { 'if-none-match': first.headers.get('etag') ?? '' })).status, 200)
})

t.test('a cursor is accepted only as it was issued (D-05, C-147)', async t => {
  const { client } = await startApi(t)
  const path = await variables(client, ['A', 'B', 'C'])
  const cursor: string = (await client.get(`${path}?limit=1`)).body.next_cursor
  const page = (text: string) => client.get(`${path}?limit=1&cursor=${encodeURIComponent(text)}`)
  t.equal((await page(cursor)).body.items[0].name, 'B')
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const lastChanged = [...alphabet].filter(sign => !cursor.endsWith(sign)).map(sign => cursor.slice(0, -1) + sign)
  const tampered = [`${cursor}!`, `${cursor}=`, ` ${cursor}`, `${cursor}A`, `${cursor.slice(0, 9)}.${cursor.slice(9)}`]
  for (const text of [...tampered, ...lastChanged, cursor.slice(0, -1), '', 'x']) {
    const reply = await page(text)
    t.match(
      reply,
      { status: 400, body: { error: 'invalid_request', message: /Recomece sem o parâmetro "cursor"/ } },
      text,
    )
  }
  const shared = path.replace('services/web/variables', 'shared-variables')
  t.equal((await client.get(`${shared}?cursor=${cursor}`)).status, 400, 'of another list')
})

t.test('variables have one tag, however they are read, and it guards every way to write them (D-08)', async t => {
  const { client } = await startApi(t)
  const path = await variables(
    client,
    Array.from({ length: 25 }, (_, i) => `V${i + 10}`),
  )
  const put = (tag: string, name = 'V10') => client.put(`${path}/${name}`, { value: tag }, { 'if-match': tag })
  const bulk = (tag: string) => client.put(path, { variables: [{ name: 'V11', value: tag }] }, { 'if-match': tag })
  const stale = { status: 412, body: { error: 'precondition_failed' } }
  for (const query of ['', '?limit=100', '?limit=1']) {
    t.equal((await bulk(await tagOf(client, path + query))).status, 200, query)
    t.equal((await put(await tagOf(client, path + query))).status, 200, query)
  }
  const before = await tagOf(client, path)
  await client.put(`${path}/V34`, { value: 'on the second page' })
  t.match(await bulk(before), stale)
  t.match(await put(before), stale)
  const then = await tagOf(client, path)
  await client.delete(`${path}/V34`)
  t.match(await put(then), stale)
  t.equal((await put('*')).status, 200)
  t.equal((await put('"nothing"')).status, 412)
})

t.test('what is not there yet has no tag to match (D-08)', async t => {
  const { client } = await startApi(t)
  const { id } = await client.project('loja')
  const path = `/projects/${id}/services/web/volume`
  const put = (size_gb: number, tag: string) =>
    client.put(path, { mount_path: '/app/data', size_gb }, { 'if-match': tag })
  for (const tag of ['*', '"x"'])
    t.match(await put(1, tag), { status: 412, body: { error: 'precondition_failed' } }, tag)
  t.equal((await client.get(path)).status, 404, 'nothing was made')
  t.equal((await client.put(path, { mount_path: '/app/data', size_gb: 1 })).status, 201)
  const tag = await tagOf(client, path)
  t.equal((await put(2, `"other", ${tag}`)).status, 200)
  t.equal((await put(3, tag)).status, 412)
})
