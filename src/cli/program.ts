// The commands and their options; what each does is in the file of its noun.
import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { printConfig } from './config.ts'
import { withDatabase } from './database.ts'
import { doctor } from './doctor.ts'
import { down } from './down.ts'
import {
  createInstallation,
  printInstallations,
  removeInstallation,
  type InstallationOptions,
} from './installations.ts'
import { rewrapKeys, rotateKeys } from './keys.ts'
import { createTeam, createTokenFor, printTeams, printTokens, revoke } from './teams.ts'

/** Runs one command line. Throws a sentence for the person at the keyboard. */
export async function run(argv: readonly string[]): Promise<void> {
  await program().parseAsync([...argv])
}

function program(): Command {
  const cais = new Command('cais')
    .description('Operate a Cais installation. Every command reads the same environment as the platform itself.')
    .showHelpAfterError()

  cais
    .command('serve')
    .description('run the platform: API, workers, router, engines')
    .action(async () => (await import('../setup/serve.ts')).serve())

  const team = cais.command('team').description('teams')
  team
    .command('create')
    .requiredOption('--name <name>', 'name of the team')
    .option('--plan <plan>', 'hobby, pro or business', 'hobby')
    .action(async (options: { name: string; plan: string }) => withDatabase(db => createTeam(db, options)))
  team.command('list').action(async () => withDatabase(printTeams))

  const token = cais.command('token').description('API tokens')
  token
    .command('create')
    .description('create a token; stdout is the token and nothing else')
    .requiredOption('--team <name>', 'name of the team')
    .requiredOption('--scopes <scopes>', 'all, or scopes separated by commas')
    .option('--projects <ids>', 'restrict to these projects, separated by commas')
    .option('--expires <days>', 'lifetime such as 90d')
    .option('--name <name>', 'what it is for', 'cli')
    .action(async (options: Parameters<typeof createTokenFor>[1]) =>
      withDatabase(db => createTokenFor(db, options, readConfig().tokenPrefix)),
    )
  token
    .command('revoke')
    .description('revoke by id, or by the text of the token on stdin')
    .argument('[id]', 'id shown by `token list`; without it the token is read from stdin')
    .action(async (id: string | undefined) => withDatabase(db => revoke(db, id ?? null, readConfig().tokenPrefix)))
  token
    .command('list')
    .option('--team <name>', 'only those of this team')
    .action(async (options: { team?: string }) => withDatabase(db => printTokens(db, options.team ?? null)))

  const installation = cais.command('installation').description('git repositories that teams may deploy from')
  installation
    .command('create')
    .description('give a team access to repositories; stdin holds the token or the ssh private key, stdout is the id')
    .requiredOption('--team <name>', 'name of the team')
    .requiredOption('--provider <provider>', 'github, gitlab or generic')
    .requiredOption('--account <account>', 'user, group or organisation there')
    .requiredOption(
      '--repositories <list>',
      'owner/name or owner/name:branch, separated by commas; the first is the default',
    )
    .option('--url <url>', 'https://host or ssh://user@host; github.com and gitlab.com have theirs')
    .option('--known-hosts <file>', 'for ssh: who the server is')
    .option('--public', 'nothing on stdin: the repositories are readable by everybody')
    .action(async (options: InstallationOptions) => withDatabase(db => createInstallation(db, readConfig(), options)))
  installation
    .command('list')
    .option('--team <name>', 'only those of this team')
    .action(async (options: { team?: string }) => withDatabase(db => printInstallations(db, options.team ?? null)))
  installation
    .command('remove')
    .argument('<id>', 'id shown by `installation list`')
    .action(async (id: string) => withDatabase(db => removeInstallation(db, id)))

  const keys = cais.command('keys').description('what secrets are sealed with; the platform may go on running')
  keys
    .command('rotate')
    .description('make a new data key and seal everything stored with it')
    .action(async () => withDatabase(db => rotateKeys(db, readConfig())))
  keys
    .command('rewrap')
    .description(
      'wrap the data keys by a new master key: CAIS_NEW_MASTER_KEY, or one generated into DATA_DIR/master.key',
    )
    .action(async () => withDatabase(db => rewrapKeys(db, readConfig())))

  cais
    .command('migrate')
    .description('bring the control database to the present schema')
    .action(async () => withDatabase(async (_db, ran) => print(ran.length > 0 ? ran : ['nothing to do'])))

  cais
    .command('config')
    .description('print the effective configuration, secrets masked')
    .action(() => printConfig(readConfig()))

  cais
    .command('doctor')
    .description('check every part and say what to do; exit code 1 when something is wrong')
    .action(async () => process.exit((await doctor(readConfig())) ? 0 : 1))

  cais
    .command('down')
    .description('stop everything of this installation: applications, router, engines, control database')
    .option('--purge', 'also remove its data, networks and images: nothing is kept', false)
    .action(async (options: { purge: boolean }) => down(readConfig(), options))

  cais
    .command('base-images')
    .description('what builds start from')
    .command('build')
    .description('make those that are missing')
    .action(async () => {
      const { ensureBaseImages } = await import('../setup/base-images.ts')
      const { announcer } = await import('../setup/announce.ts')
      await ensureBaseImages(readConfig(), announcer())
      print(['base images ready'])
    })
  return cais
}

function print(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`)
}
