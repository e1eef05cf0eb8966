// Connections as hostile clients use them: what breaks off, what is no request, and what follows another one (D-24, D-25).
import t from 'tap'
import { sendRaw, startApi } from '../support/api.ts'

/** The answers in what came back on one connection: status, headers and body of each. */
function answersIn(bytes: string): { status: number; headers: Map<string, string>; body: string }[] {
  const answers = []
  for (let rest = bytes; rest.startsWith('HTTP/1.1 ');) {
    const [head = ''] = rest.split('\r\n\r\n', 1)
    const [status = '', ...lines] = head.split('\r\n')
    const headers = new Map(lines.map(line => [line.split(':')[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: /, '')]))
    const size = Number(headers.get('content-length') ?? 0)
    const body = Buffer.from(rest)
      .subarray(Buffer.byteLength(head) + 4)
      .subarray(0, size)
      .toString()
    rest = Buffer.from(rest)
      .subarray(Buffer.byteLength(head) + 4 + size)
      .toString()
    answers.push({ status: Number(status.split(' ')[1]), headers, body })
  }
  return answers
}

t.test(
  'a body whose framing breaks is answered, and a stranger that follows a request waits its turn (D-25)',
  async t => {
    const { client, port, db } = await startApi(t)
    const auth = `Host: x\r\nAuthorization: Bearer ${client.token}\r\n`
    const post = `POST /v1/projects HTTP/1.1\r\n${auth}Content-Type: application/json\r\n`
    const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`
    const get = `GET /v1/me HTTP/1.1\r\n${auth}\r\n`
    const requests: Record<string, { bytes: string; statuses: number[] }> = {
      'no size of a chunk': { bytes: `${chunked}ZZ\r\n{}\r\n`, statuses: [400] },
      'no size of a later chunk': { bytes: `${chunked}8\r\n{"name":\r\nQQ\r\n`, statuses: [400] },
      'an encoding that does not frame': { bytes: `${post}Transfer-Encoding: gzip\r\n\r\nabc`, statuses: [400] },
      'a tunnel': { bytes: `CONNECT example.com:443 HTTP/1.1\r\n${auth}\r\n`, statuses: [400] },
      'a request and something else': { bytes: `${get}NONSENSE\r\n\r\n`, statuses: [200, 400] },
      'two requests and something else': { bytes: `${get}${get}NONSENSE\r\n\r\n`, statuses: [200, 200, 400] },
      'two lengths': { bytes: `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, statuses: [400] },
    }
    for (const [name, { bytes, statuses }] of Object.entries(requests)) {
      const answers = answersIn(await sendRaw(port, bytes))
      t.strictSame(
        answers.map(answer => answer.status),
        statuses,
        name,
      )
      const last = answers.at(-1)
      t.match(
        JSON.parse(last?.body ?? ''),
        { error: 'invalid_request', message: /^A requisição HTTP está mal formada/ },
        name,
      )
      const shown = ['content-type', 'content-language', 'x-content-type-options', 'connection']
      const expected = ['application/json; charset=utf-8', 'pt-BR', 'nosniff', 'close']
      t.strictSame(
        shown.map(header => last?.headers.get(header)),
        expected,
        name,
      )
      t.match(last?.headers.get('request-id'), /^[0-9a-hjkmnp-tv-z]{26}$/, name)
    }
    const { rows } = await db.raw('select 1 from project')
    t.equal(rows.length, 0, 'nothing came of any of them')
  },
)

t.test('an expectation that nobody knows is passed over (D-24)', async t => {
  const { client, port } = await startApi(t)
  const auth = `Host: x\r\nAuthorization: Bearer ${client.token}\r\nConnection: close\r\n`
  const [answer] = answersIn(await sendRaw(port, `GET /v1/me HTTP/1.1\r\n${auth}Expect: 200-maybe\r\n\r\n`))
  t.equal(answer?.status, 200)
})

t.test(
  'whoever waits to be asked for a body is refused first for everything that needs no body (D-15, D-24)',
  async t => {
    const { client, port, newClient, newTeam } = await startApi(t)
    const { id } = await client.project('loja')
    const foreign = await (await newTeam()).client.project('alheia')
    const weak = await newClient({ scopes: ['projects:read'] })
    const form = 'Content-Type: multipart/form-data; boundary=x\r\n'
    const json = 'Content-Type: application/json\r\n'
    const deploy = (project: string) => `/v1/projects/${project}/services/web/deployments`
    const cases: [number, string, string, number, string?][] = [
      [401, deploy(id), form, 1000, 'nobody'],
      [404, '/v1/nothing', json, 1000],
      [405, '/v1/me', json, 1000],
      [404, deploy(foreign.id), form, 1000],
      [403, deploy(id), form, 1000, weak.token],
      [400, deploy(id), `${form}Idempotency-Key: short\r\n`, 1000],
      [415, '/v1/projects', form, 1000],
      [413, '/v1/projects', json, 1_048_577],
      [413, deploy(id), form, 600_000_000],
    ]
    for (const [status, path, type, size, token = client.token] of cases) {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nExpect: 100-continue\r\n`
      const answers = answersIn(await sendRaw(port, `${head}${type}Content-Length: ${size}\r\n\r\n`))
      const seen = answers.map(answer => [answer.status, answer.headers.get('connection')])
      t.strictSame(seen, [[status, 'close']], `${status} ${path}`)
    }
  },
)
