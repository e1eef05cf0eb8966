// The figures that an operator may change (decisions 6). What the specification itself says of the plan hobby stays.
import { z } from 'zod'
import { PLANS, REQUESTS, type Limits, type Plan } from './limits.ts'

const LARGEST = 2_147_483_647
const count = z.int().min(1).max(LARGEST)
const cpus = z.number().min(0.1).max(1024)

const plan = z.strictObject({
  projects: count,
  services: count,
  databases: count,
  memoryMb: count,
  cpusPerService: cpus,
  volumesGb: count,
  deploysPerHour: count,
  databaseQuotaMb: count,
} satisfies Record<keyof Plan, z.ZodType>)

const fixed = (figure: number) =>
  z.literal(figure, { error: `is fixed at ${figure} by the specification; give the team another plan` })

const hobby = plan.extend({
  services: fixed(PLANS.hobby.services),
  databases: fixed(PLANS.hobby.databases),
  memoryMb: fixed(PLANS.hobby.memoryMb),
  volumesGb: fixed(PLANS.hobby.volumesGb),
  deploysPerHour: fixed(PLANS.hobby.deploysPerHour),
})

const requests = z.strictObject({
  windowSeconds: z.int().min(1).max(3600),
  perToken: count,
  perAddress: count,
  failedAuthenticationsPerAddress: count,
  uploadsAtOncePerTeam: count,
})

const schema = z.strictObject({
  plans: z
    .strictObject({ hobby: hobby.partial(), pro: plan.partial(), business: plan.partial() })
    .partial()
    .default({}),
  requests: requests.partial().default({}),
})

/** The defaults with what this JSON changes; empty text changes nothing. Throws one error that names every bad figure. */
export function parseLimits(text: string): Limits {
  const parsed = schema.safeParse(text.trim() === '' ? {} : parseJson(text))
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map(issue => `${issue.path.join('.') || '(root)'} ${issue.message}`).join('; '))
  }
  const { plans, requests: quotas } = parsed.data
  return {
    plans: {
      hobby: merge<Plan>(PLANS.hobby, plans.hobby),
      pro: merge<Plan>(PLANS.pro, plans.pro),
      business: merge<Plan>(PLANS.business, plans.business),
    },
    requests: merge(REQUESTS, quotas),
  }
}

function merge<T extends object>(defaults: T, changes: { [K in keyof T]?: T[K] | undefined } = {}): T {
  return { ...defaults, ...changes } as T
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('is not JSON')
  }
}
