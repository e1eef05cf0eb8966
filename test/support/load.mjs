// Requests one after the other in a few lanes, until standard input ends; then prints what came of them as JSON. Reads
// nothing but the variable LOAD, so that it runs anywhere there is a Node.js: on the host and inside containers.
import http from 'node:http'
import https from 'node:https'

const { secure, keepAlive, lanes, ...where } = JSON.parse(process.env.LOAD)
const agent = new (secure ? https : http).Agent({ keepAlive })
const outcome = { good: 0, bad: {}, versions: [], backwards: 0 }
let over = false
process.stdin.resume().on('end', () => (over = true))

/** The newest version that any answer so far has shown: no request sent from now on may be answered by an older one. */
let newest = 0

function once(lane) {
  const atLeast = newest
  return new Promise(done => {
    const fail = why => {
      outcome.bad[why] = (outcome.bad[why] ?? 0) + 1
      done()
    }
    const asked = (secure ? https : http).request({ ...where, ...lane, agent, timeout: 15_000 }, answer => {
      let body = ''
      answer.on('data', chunk => (body += chunk))
      answer.on('error', error => fail(error.code ?? error.message))
      answer.on('end', () => {
        if (answer.statusCode !== 200) return fail(answer.statusCode)
        const { version } = JSON.parse(body)
        outcome.good++
        if (version < atLeast) outcome.backwards++
        if (outcome.versions.at(-1) !== version && version >= newest) outcome.versions.push(version)
        newest = Math.max(newest, version)
        done()
      })
    })
    asked.on('error', error => fail(error.code ?? error.message))
    asked.on('timeout', () => asked.destroy(new Error('timeout')))
    asked.end(lane.method === 'POST' ? 'pedido' : undefined)
  })
}

async function drive(lane) {
  while (!over) {
    await once(lane)
    await new Promise(done => setTimeout(done, 8))
  }
}

await Promise.all(lanes.map(drive))
agent.destroy()
process.stdout.write(JSON.stringify(outcome))
