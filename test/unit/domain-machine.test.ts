// The life of a custom domain as a pure function, and what its zone has to say (D-60).
import t from 'tap'
import { initialTransition, transition, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate'
import { machines } from '../../machines/index.ts'
import { isApex, problemWith, routingRecords, verificationName } from '../../src/domain/custom-domain.ts'
import { statePath } from '../../src/actors/restore.ts'

const input = { domainId: 'd', serviceId: 's', hostname: 'loja.example.com' }
const done = (id: string, output: object) => ({ type: `xstate.done.actor.${id}`, actorId: id, output })
const failed = (id: string, code: string) => ({ type: `xstate.error.actor.${id}`, actorId: id, error: { code } })
const VERIFY = { type: 'VERIFY' }
const DELETE = { type: 'DELETE' }
const found = done('check', { at: '2030-01-01T00:00:00.000Z', problem: null })
const missing = done('check', { at: '2030-01-01T00:00:00.000Z', problem: 'txt_missing' })
const issued = done('issue', { renewMs: 1000 })
const published = done('publish', { published: true })

function after(...events: { type: string }[]) {
  const machine = machines.domain as AnyStateMachine
  let [snapshot] = initialTransition(machine, input as never) as [AnyMachineSnapshot, unknown]
  for (const event of events)
    [snapshot] = transition(machine, snapshot, event as never) as [AnyMachineSnapshot, unknown]
  return { state: statePath(snapshot.value), context: snapshot.context as Record<string, unknown> }
}

t.test('a domain walks pending → issuing → active, and is renewed without leaving active', async t => {
  t.equal(after().state, 'pending.resting')
  t.equal(after(VERIFY).state, 'pending.checking')
  t.match(after(VERIFY, missing), {
    state: 'pending.resting',
    context: { checks: 1, lastError: { code: 'txt_missing' } },
  })
  t.match(after(VERIFY, missing, VERIFY, found), {
    state: 'issuing.certifying',
    context: { checks: 2, lastError: null },
  })
  const active = [VERIFY, found, issued, published]
  t.match(after(...active), {
    state: 'active.serving',
    context: { renewMs: 1000, verifiedAt: '2030-01-01T00:00:00.000Z' },
  })
  t.equal(after(...active, VERIFY).state, 'active.serving')
  const renewal = { type: 'xstate.after.renewal.domain.active.serving' }
  t.equal(after(...active, renewal).state, 'active.renewing')
  t.equal(after(...active, renewal, failed('issue', 'certificate_refused')).state, 'active.renewingLater')
  t.equal(after(...active, renewal, issued, published).state, 'active.serving')
})

t.test('a certificate that cannot be issued is failed until somebody verifies again', async t => {
  const fallen = [VERIFY, found, failed('issue', 'certificate_refused')]
  t.match(after(...fallen), { state: 'failed.resting', context: { lastError: { code: 'certificate_refused' } } })
  t.equal(after(...fallen, VERIFY, missing).state, 'failed.resting')
  t.equal(after(...fallen, VERIFY, found).state, 'issuing.certifying')
})

t.test('only a domain that was never verified is released, and a deleted one ends from anywhere', async t => {
  const old = { type: 'xstate.after.unverified.domain.pending' }
  t.equal(after(old).state, 'releasing.working')
  t.equal(after(old, done('release', {})).state, 'released')
  t.equal(after(VERIFY, found, old).state, 'issuing.certifying')
  for (const way of [[], [VERIFY], [VERIFY, found], [VERIFY, found, issued, published], [old]])
    t.equal(after(...way, DELETE, done('withdraw', {})).state, 'removed')
  t.equal(after(VERIFY, failed('check', 'gone')).state, 'removing.working')
})

t.test('an apex gets addresses, everything else a CNAME', async t => {
  for (const name of ['example.com', 'loja.com.br', 'loja.co.uk']) t.ok(isApex(name), name)
  for (const name of ['www.example.com', 'a.loja.com.br', 'api.loja.io']) t.notOk(isApex(name), name)
  t.strictSame(
    routingRecords('example.com', 'x', ['192.0.2.1', '2001:db8::1']).map(record => [record.type, record.value]),
    [
      ['A', '192.0.2.1'],
      ['AAAA', '2001:db8::1'],
    ],
  )
  t.equal(verificationName('api', 'a.example.com'), '_api-verify.a.example.com')
})

t.test('TXT and routing must both be there', async t => {
  const wanted = { proof: 'p', appsDomain: 'apps.test', publicIps: ['192.0.2.1', '2001:db8::1'] }
  const seen = { txt: ['other', 'p'], cname: ['loja.apps.test'], addresses: [] }
  t.equal(problemWith(seen, wanted), null)
  t.equal(problemWith({ ...seen, txt: ['px'] }, wanted), 'txt_missing')
  t.equal(problemWith({ ...seen, cname: ['evilapps.test'] }, wanted), 'routing_missing')
  t.equal(problemWith({ ...seen, cname: [], addresses: ['192.0.2.2'] }, wanted), 'routing_missing')
  t.equal(problemWith({ ...seen, cname: [], addresses: ['2001:db8:0::1'] }, wanted), null)
})
