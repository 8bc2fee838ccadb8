// An apply that is killed before or after a request, and resumed: the same project, and no object twice.
import { expect, test } from 'vitest'
import { ended, runPromo, startPromo } from '../support/child.ts'
import { doorTo } from '../support/door.ts'
import { projectFolder, smallShop, testProjects } from '../support/projects.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { sized } from '../support/size.ts'
import { sendingAgain } from './config-steps.ts'

/** Requests between two kills: an apply of the demo project sends more than a hundred. */
const stride = sized({ quick: 20, full: 1 })

test('killed before or after any request and resumed, an apply ends as if it had not been', async () => {
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
    // What never arrived may still do: somebody has to agree that it is sent again.
    if (resumed.exitCode === 6) {
      expect([at, side]).toEqual([at, 'before'])
      await promoIn(folder)(['jobs', 'retry', 'latest', '--only', 'unknown'], sendingAgain(env))
      const rest = await runPromo([...resume, '--yes'], folder, env)
      expect([at, rest.exitCode, rest.stderr]).toEqual([at, 0, expect.any(String)])
    } else expect([at, side, resumed.exitCode, resumed.stderr]).toEqual([at, side, 0, expect.any(String)])
    const diff = await target.promo(['config', 'diff', root])

    expect([at, side, diff.exitCode, diff.stdout]).toEqual([at, side, 0, ''])
  }
  expect(kills).toBeGreaterThan(5)
})

test.each(['before', 'after'] as const)(
  'killed %s the service has generated the codes of a campaign, an apply that is resumed does not generate them twice',
  async (side) => {
    await using service = Object.assign(await testProjects({ demo: false }), {
      async [Symbol.asyncDispose]() {
        await service.close()
      },
    })
    const target = await service.another()
    const folder = temporaryFolder()
    let kill = () => {}
    let generations = 0
    await using door = await doorTo(
      service.sandbox.url,
      (method, url) => {
        const isGeneration = method === 'POST' && /^\/v1\/campaigns\/[^/]+\/vouchers/.test(url)
        generations += isGeneration ? 1 : 0
        return isGeneration && generations === 1 ? side : 'pass'
      },
      () => kill(),
    )
    const env = { ...target.env, PROMO_BASE_URL: door.origin }
    const child = startPromo(['config', 'apply', smallShop(), '--yes'], folder, env)
    kill = () => child.kill('SIGKILL')
    const killed = await ended(child)

    const resumed = await runPromo(['jobs', 'resume', 'latest', '--yes'], folder, env)
    const sent = generations
    const agreed = await promoIn(folder)(['jobs', 'retry', 'latest', '--only', 'unknown'], sendingAgain(env))

    const { campaigns } = await target.call('GET', '/v1/campaigns')
    const spring = campaigns.find(({ name }: { name: string }) => name === 'Spring')
    expect(killed.signal).toBe('SIGKILL')
    expect([resumed.exitCode, sent, agreed.exitCode]).toEqual([side === 'before' ? 6 : 0, 1, 0])
    expect([generations, spring.vouchers_count]).toEqual([side === 'before' ? 2 : 1, 3])
  },
)

test('killed at a write and applied again, a folder loses no codes and no object: the rest is done, or the job is named', async () => {
  await using service = Object.assign(await testProjects({ demo: false }), {
    async [Symbol.asyncDispose]() {
      await service.close()
    },
  })
  const root = smallShop()
  for (let at = sized({ quick: 2, full: 1 }); at <= 16; at += sized({ quick: 5, full: 1 })) {
    for (const side of ['before', 'after'] as const) {
      const target = await service.another()
      const folder = temporaryFolder()
      let writes = 0
      let kill = () => {}
      await using door = await doorTo(
        service.sandbox.url,
        (method) => {
          if (method !== 'GET') writes += 1
          return method !== 'GET' && writes === at ? side : 'pass'
        },
        () => kill(),
      )
      const env = { ...target.env, PROMO_BASE_URL: door.origin }
      const child = startPromo(['config', 'apply', root, '--yes'], folder, env)
      kill = () => child.kill('SIGKILL')
      const killed = await ended(child)
      const run = promoIn(folder)

      const again = await run(['config', 'apply', root, '--yes'], { env })

      const where = [at, side, killed.signal]
      if (again.exitCode === 9) {
        expect([...where, again.stderr]).toEqual([at, side, 'SIGKILL', expect.stringMatching(/jobs resume \S+ does/)])
        await run(['jobs', 'resume', 'latest', '--yes'], { env })
        await run(['jobs', 'retry', 'latest', '--only', 'unknown'], sendingAgain(env))
        await run(['jobs', 'resume', 'latest', '--yes'], { env })
      } else expect([...where, again.exitCode, again.stderr]).toEqual([at, side, 'SIGKILL', 0, expect.any(String)])
      const { campaigns } = await target.call('GET', '/v1/campaigns')
      const spring = campaigns.find(({ name }: { name: string }) => name === 'Spring')
      const { exitCode } = await target.promo(['config', 'diff', root])
      expect([...where, exitCode, spring.vouchers_count]).toEqual([at, side, 'SIGKILL', 0, 3])
    }
  }
})
