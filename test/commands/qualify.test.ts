import { beforeAll, describe, expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'

const promo = promoIn(temporaryFolder())

beforeAll(async () => {
  await promo('profiles use sandbox')
})

describe('qualify campaigns', () => {
  const qualify = (...argv: (string | string[])[]) => promo(['qualify', 'campaigns', ...argv.flat()])

  test('lists the campaigns that fit, as rows', async () => {
    const { exitCode, stdout } = await qualify('--customer', 'source_id=shop-1001', '--amount', '5000')

    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^camp_\w+ +Spring mailing +DISCOUNT_COUPONS/m)
  })

  test("JSON and JSON Lines are the service's own complete answer; CSV has a row for each campaign", async () => {
    const [json, jsonl, csv] = await Promise.all(
      ['json', 'jsonl', 'csv'].map((format) => qualify('--amount', '5000', '--format', format)),
    )

    const shown = JSON.parse(json?.stdout ?? '')
    expect(shown).toMatchObject({
      id: expect.stringMatching(/^qfl_/),
      created_at: expect.any(String),
      total: shown.data.length,
    })
    expect(shown.data[0]).toMatchObject({ object: 'campaign', active: true })
    expect(JSON.parse(jsonl?.stdout ?? '')).toMatchObject({ object: 'list', total: shown.total })
    expect(csv?.stdout.trimEnd().split('\n')).toHaveLength(shown.total + 1)
  })

  test('--limit, --order and --audience-rules-only go into the query', async () => {
    const { stdout, stderr } = await qualify(
      '--limit 1 --order -created_at --audience-rules-only --jsonl --verbose'.split(' '),
    )

    expect(stderr).toContain('/v1/campaigns/qualification?audienceRulesOnly=true&limit=1&order=-created_at')
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  })

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
