// A network namespace that stands for a container of a project: its own address, behind a gateway, and names of our own.
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Answer {
  code: number
  stdout: string
  stderr: string
}

export interface Room {
  /** Runs a command inside, with this environment only (and a PATH). */
  run(command: string[], env: Record<string, string>): Promise<Answer>
  remove(): Promise<void>
}

/** `name`: at most 10 characters. `hosts`: what names resolve to inside. Needs root. */
export async function makeRoom(
  name: string,
  network: { address: string; gateway: string; bits: number; hosts: Record<string, string> },
): Promise<Room> {
  const ip = (...words: string[]): Promise<unknown> => run('ip', words)
  const etc = path.join('/etc/netns', name)
  const outside = `${name}-h`
  const remove = async (): Promise<void> => {
    await ip('netns', 'del', name).catch(() => undefined) // Left over from a run that was killed, or not there.
    await ip('link', 'del', outside).catch(() => undefined)
    await rm(etc, { recursive: true, force: true })
  }
  await remove()
  await mkdir(etc, { recursive: true })
  const hosts = Object.entries({ localhost: '127.0.0.1', ...network.hosts }).map(([host, at]) => `${at} ${host}\n`)
  await writeFile(path.join(etc, 'hosts'), hosts.join(''))
  await ip('netns', 'add', name)
  await ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  await ip('addr', 'add', `${network.gateway}/${network.bits}`, 'dev', outside)
  await ip('link', 'set', outside, 'up')
  await ip('-n', name, 'addr', 'add', `${network.address}/${network.bits}`, 'dev', 'eth0')
  await ip('-n', name, 'link', 'set', 'eth0', 'up')
  await ip('-n', name, 'link', 'set', 'lo', 'up')
  await ip('-n', name, 'route', 'add', 'default', 'via', network.gateway)
  return { run: (command, env) => runInside(name, command, env), remove }
}

async function runInside(name: string, command: string[], env: Record<string, string>): Promise<Answer> {
  const options = { env: { PATH: process.env.PATH ?? '/usr/bin:/bin', ...env }, timeout: 120_000 }
  return run('ip', ['netns', 'exec', name, ...command], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout: stdout.trim(), stderr: stderr.trim() }),
    error => ({
      code: Number(error.code) || 1,
      stdout: String(error.stdout).trim(),
      stderr: String(error.stderr).trim(),
    }),
  )
}
