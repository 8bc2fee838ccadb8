// Every command makes each call it declares. Every other test proves that no declaration is missing
// (test/support/promo.ts).
import { expect, test } from 'vitest'
import { factsOf } from '../../src/cli/facts.ts'
import { keysFor, lines, notFound } from '../support/command-lines.ts'
import { allCommands, classOf, promoIn, temporaryFolder } from '../support/promo.ts'
import { scriptedServer } from '../support/scripted-server.ts'
import { hearing, isRequestOf } from '../support/sent-requests.ts'

test.each(Object.entries(lines))('%s makes every call it declares', async (id, all) => {
  const promo = promoIn(temporaryFolder())
  const Class = await classOf(id)
  const takesYes = Class.flags.yes !== undefined ? ['--yes'] : []
  const { result: said, sent } = await hearing(async () => {
    const said: string[] = []
    for (const [words, goesOn, keys] of all) {
      await using server = await scriptedServer((asked, index) => goesOn?.(asked, index) ?? notFound)
      const argv = [...id.split(':'), ...words.split(' ').filter((word) => word !== ''), ...takesYes]
      const env = keysFor(server.origin, keys)
      said.push((await promo(argv, { env, stdin: 'token' })).stderr)
    }
    return said
  })

  const { calls } = factsOf(Class)
  expect(
    calls.filter((call) => sent.some((request) => isRequestOf(call, request))),
    said.join(''),
  ).toEqual(calls)
})

test('every command with calls is listed', async () => {
  const calling = (await allCommands()).map(({ id, Class }) => ({ id, calls: Class.calls ?? [] }))

  expect(Object.keys(lines).toSorted()).toEqual(
    calling
      .filter(({ calls }) => calls !== 'any' && calls.length > 0)
      .map(({ id }) => id)
      .toSorted(),
  )
})
