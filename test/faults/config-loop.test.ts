// An apply that is killed before or after a request, and resumed: the same project, and no object twice.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { ended, runPromo, startPromo } from '../support/child.ts'
import { projectFolder, testProjects } from '../support/projects.ts'
import { temporaryFolder } from '../support/promo.ts'
import { sized } from './size.ts'

/** Requests between two kills: an apply of the demo project sends more than a hundred. */
const stride = sized({ quick: 12, full: 1 })

test(
  'killed before or after any request and resumed, an apply ends as if it had not been',
  async () => {
    await using service = Object.assign(await testProjects(), {
      async [Symbol.asyncDispose]() {
        await service.close()
      },
    })
    const root = projectFolder()
    await service.first.promo(['config', 'pull', root])
    let kills = 0
    for (let at = 1; ; at += stride) {
      const side = kills % 2 === 0 ? 'after' : 'before'
      const target = await service.another()
      const folder = temporaryFolder()
      let seen = 0
      let kill = () => {}
      let wasKilled = false
      await using door = await doorTo(
        service.sandbox.url,
        () => {
          seen += 1
          if (seen !== at) return 'pass'
          wasKilled = true
          return side
        },
        () => kill(),
      )
      const env = { ...target.env, PROMO_BASE_URL: door.origin }
      const child = startPromo(['config', 'apply', root, '--yes'], folder, env)
      kill = () => child.kill('SIGKILL')
      const first = await ended(child)
      if (!wasKilled) {
        expect(first.exitCode).toBe(0)
        break
      }
      kills += 1

      const jobs = await runPromo(['jobs', 'list', '--json'], folder, env)
      const resume = JSON.parse(jobs.stdout).length > 0 ? ['jobs', 'resume', 'latest'] : ['config', 'apply', root]
      const resumed = await runPromo([...resume, '--yes'], folder, env)
      const diff = await target.promo(['config', 'diff', root])

      expect([at, side, resumed.exitCode, resumed.stderr]).toEqual([at, side, 0, expect.any(String)])
      expect([at, side, diff.exitCode, diff.stdout]).toEqual([at, side, 0, ''])
    }
    expect(kills).toBeGreaterThan(5)
  },
  sized({ quick: 240_000, full: 3_600_000 }),
)

/** Passes requests on; told to, it kills before it passes one on, or after the service has answered. */
async function doorTo(origin: string, decide: () => 'pass' | 'before' | 'after', kill: () => void) {
  const server = createServer(async (request, response) => {
    const what = decide()
    if (what === 'before') return kill()
    const { method = 'GET', url = '/' } = request
    const body = await bodyOf(request)
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers
    const answer = await fetch(`${origin}${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (what === 'after') return kill()
    const type = answer.headers.get('content-type')
    response.writeHead(answer.status, type === null ? {} : { 'content-type': type }).end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
