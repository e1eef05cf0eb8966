import type { Config } from '../config.ts'
import { environmentOf } from './effective-config.ts'
import { table } from './table.ts'

/** Prints every setting, its effective value, and whether it is the default. */
export function printConfig(config: Config): void {
  const rows = environmentOf(config).map(setting => [
    setting.name,
    setting.value,
    setting.isDefault ? 'default' : 'set',
  ])
  process.stdout.write(table(['NAME', 'VALUE', ''], rows))
}
