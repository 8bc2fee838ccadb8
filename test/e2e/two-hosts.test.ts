// Two hosts of a network, as containers are: the sandbox serves in one, and is called by its name from the other.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { runProgram } from '../support/child.ts'
import { needing } from '../support/programs.ts'
import { temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'

const keys = { app_id: 'shop-app-id', app_token: 'shop-app-token' }

/** Makes two network namespaces that reach each other; the second one knows the first by its names. */
function twoHosts(names: string) {
  const id = `promo-${process.pid}`
  const [service, shop] = [`${id}-a`, `${id}-b`]
  const hosts = join('/etc/netns', shop)
  const ip = (...args: string[]) => {
    const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
  }
  mkdirSync(hosts, { recursive: true })
  writeFileSync(join(hosts, 'hosts'), `127.0.0.1 localhost\n10.231.7.1 ${names}\n`)
  ip('netns', 'add', service)
  ip('netns', 'add', shop)
  ip('-n', service, 'link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', shop)
  for (const [host, address] of [
    [service, '10.231.7.1/30'],
    [shop, '10.231.7.2/30'],
  ] as const) {
    ip('-n', host, 'address', 'add', address, 'dev', 'eth0')
    ip('-n', host, 'link', 'set', 'lo', 'up')
    ip('-n', host, 'link', 'set', 'eth0', 'up')
  }
  return {
    in: (host: 'service' | 'shop', ...command: string[]) =>
      ['netns', 'exec', host === 'service' ? service : shop, ...command] as string[],
    [Symbol.dispose]() {
      for (const host of [service, shop]) spawnSync('ip', ['netns', 'del', host])
      rmSync(hosts, { recursive: true, force: true })
    },
  }
}

test('the sandbox is called by its name from another host, and by no other name', needing('ip', 'curl'), async () => {
  using hosts = twoHosts('promo stranger')
  const folder = temporaryFolder()
  const given = join(folder, 'keys.json')
  writeFileSync(given, JSON.stringify(keys), { mode: 0o600 })
  const flags = [...'--host 0.0.0.0 --port 8099 --allow-host promo --keys-from'.split(' '), given, '--empty', '--json']
  const start = [process.execPath, join(root, 'bin/run.js'), 'sandbox', 'start', '--data', ':memory:', ...flags]
  const server = spawn('ip', hosts.in('service', ...start), {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    for await (const _line of createInterface({ input: server.stdout })) break
    const status = async (url: string, ...more: string[]) => {
      const curl = [...'curl --silent --max-time 20 --output /dev/null --write-out'.split(' '), '%{http_code}', ...more]
      return (await runProgram('ip', hosts.in('shop', ...curl, url))).stdout
    }
    const withKeys = ['--header', `X-App-Id: ${keys.app_id}`, '--header', `X-App-Token: ${keys.app_token}`]

    const seen = {
      byName: await status('http://promo:8099/v1/vouchers', ...withKeys),
      byAddress: await status('http://10.231.7.1:8099/v1/vouchers', ...withKeys),
      withoutKeys: await status('http://promo:8099/v1/vouchers'),
      health: await status('http://promo:8099/health'),
      byAnotherName: await status('http://stranger:8099/v1/vouchers', ...withKeys),
      controlDoor: await status('http://promo:8099/__promo/clock', '--header', 'Authorization: Bearer x'),
    }

    expect(seen).toEqual({
      byName: '200',
      byAddress: '200',
      withoutKeys: '401',
      health: '200',
      byAnotherName: '421',
      controlDoor: expect.stringMatching(/^(401|403|421)$/),
    })
  } finally {
    const ended = new Promise((resolve) => server.on('close', resolve))
    server.kill('SIGTERM')
    await ended
  }
})
