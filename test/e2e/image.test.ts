// The platform's own image: built from base images made on this machine, started once on the simulated world.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type Docker from 'dockerode'
import t, { type Test } from 'tap'
import { readConfig } from '../../src/config.ts'
import { connectDocker } from '../../src/drivers/docker/engine.ts'
import { announcer } from '../../src/setup/announce.ts'
import { ensureBaseImages } from '../../src/setup/base-images.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const IMAGE = 'cais/platform:test'
const CONTEXT = ['Dockerfile', 'package.json', 'package-lock.json', '.npmrc', 'tsconfig.json', 'tsconfig.build.json']
const docker = connectDocker(readConfig().dockerHost)

async function build(): Promise<void> {
  const tar = spawn('tar', ['-C', root, '-c', ...CONTEXT, 'machines', 'db', 'src'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const buildargs = { BUILD_IMAGE: 'cais/node-build:20', RUN_IMAGE: 'cais/node:20' }
  const answer = await docker.buildImage(tar.stdout, { t: IMAGE, buildargs, networkmode: 'host', forcerm: true })
  const said: string[] = []
  await new Promise<void>((resolve, reject) => {
    const heard = (event: { stream?: string; error?: string }): void => {
      if (event.stream) said.push(event.stream)
      if (event.error) reject(new Error(`${event.error}\n${said.join('').slice(-4000)}`))
    }
    docker.modem.followProgress(answer, error => (error ? reject(error) : resolve()), heard)
  })
}

async function start(t: Test): Promise<{ container: Docker.Container; url: string }> {
  const container = await docker.createContainer({ Image: IMAGE, Env: ['CAIS_RUNTIME=simulated'] })
  t.teardown(() => container.remove({ force: true, v: true }))
  await container.start()
  const { NetworkSettings } = await container.inspect()
  return { container, url: `http://${NetworkSettings.Networks['bridge']?.IPAddress}:3000` }
}

async function untilHealthy(container: Docker.Container): Promise<Docker.ContainerInspectInfo> {
  for (const deadline = Date.now() + 60_000; ;) {
    const info = await container.inspect()
    if (info.State.Health?.Status === 'healthy') return info
    if (!info.State.Running || Date.now() > deadline) {
      const log = await container.logs({ stdout: true, stderr: true })
      throw new Error(`not healthy (${info.State.Status}, exit code ${info.State.ExitCode}):\n${log.toString()}`)
    }
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

t.test('the image starts as an unprivileged user, becomes healthy, and ends cleanly', { timeout: 600_000 }, async t => {
  await ensureBaseImages(readConfig(), announcer())
  await build()
  const { container, url } = await start(t)
  const info = await untilHealthy(container)
  t.equal(info.Config.User, '10001:10001')
  const ready = await fetch(`${url}/readyz`)
  t.equal(ready.status, 200, await ready.text())
  t.equal((await fetch(`${url}/v1/me`)).status, 401, 'the API answers, and asks for a token')
  await container.stop({ t: 30 })
  t.equal((await container.inspect()).State.ExitCode, 0, 'SIGTERM ends it by itself')
})
