import type { Config } from '../config.ts'
import { environmentOf } from './effective-config.ts'
import { table } from './table.ts'

/** Prints every setting, its effective value, and whether it is the default. */
export function printConfig(config: Config): void {
  const rows = environmentOf(config).map(setting => [
    setting.name,
    setting.name === 'CAIS_LIMITS' ? '(below)' : setting.value,
    setting.isDefault ? 'default' : 'set',
  ])
  process.stdout.write(table(['NAME', 'VALUE', ''], rows))
  process.stdout.write(`\n${figures(config)}\n`)
}

// One table for the plans, one for the request quotas, under the names that CAIS_LIMITS has for them.
function figures({ limits }: Config): string {
  const { hobby, pro, business } = limits.plans
  const plans = (Object.keys(hobby) as (keyof typeof hobby)[]).map(name => [
    name,
    String(hobby[name]),
    String(pro[name]),
    String(business[name]),
  ])
  const requests = Object.entries(limits.requests).map(([name, figure]) => [name, String(figure)])
  return `${table(['PLANS', 'hobby', 'pro', 'business'], plans)}\n${table(['REQUESTS', ''], requests)}`
}
