import { beforeAll, describe, expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'
import { transcripts } from '../support/transcripts.ts'

const promo = promoIn(temporaryFolder())

beforeAll(async () => {
  await promo('profiles use sandbox')
})

describe('qualify campaigns', () => {
  const qualify = (...argv: (string | string[])[]) => promo(['qualify', 'campaigns', ...argv.flat()])

  transcripts(promo)(String.raw`
    # lists the campaigns that fit, as rows
    $ qualify campaigns --customer source_id=shop-1001 --amount 5000
    > /^camp_\w+ +Spring mailing +DISCOUNT_COUPONS/m
    # JSON is the service's own complete answer
    $ qualify campaigns --amount 5000 --json
    json {"object": "list"}
    > /"id": "qfl_/
    # --limit, --order and --audience-rules-only go into the query
    $ qualify campaigns --limit 1 --order -created_at --audience-rules-only --csv --no-header --verbose
    rows 1
    ! /v1/campaigns/qualification?audienceRulesOnly=true&limit=1&order=-created_at
  `)

  test('exits 12 with an empty list when none qualifies', async () => {
    const none = { object: 'list', data_ref: 'data', data: [], total: 0, id: 'qfl_1' }
    await using server = await scriptedServer([answer(200, none)])

    const ran = await promoIn(temporaryFolder())(['qualify', 'campaigns', '--amount', '5000', '--json'], {
      env: server.env,
    })

    expect(ran).toMatchObject({ exitCode: 12, stderr: '' })
    expect(JSON.parse(ran.stdout)).toEqual(none)
  })

  test.each([
    ['--limit 51', ['--limit', '51'], 'is not a whole number from 1 to 50'],
    ['--limit 0', ['--limit', '0'], 'is not a whole number from 1 to 50'],
    ['an unknown order', ['--order', 'name'], '--order'],
    ['an unknown member of the customer', ['--customer', 'sourceid=x'], 'has no field "sourceid"'],
    ['an amount in words', ['--amount', 'much'], 'is not a whole number'],
  ])('%s is wrong usage, found before any request', async (_, argv, message) => {
    expect(await qualify(...argv, '--verbose')).toSendNothing(2, message)
  })
})
