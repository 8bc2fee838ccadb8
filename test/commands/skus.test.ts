import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'

const promo = promoIn(temporaryFolder())

beforeAll(async () => {
  await promo('profiles use sandbox')
})

describe('skus list', () => {
  test('shows the SKUs of a product named by its source id', async () => {
    const { exitCode, stdout, stderr } = await promo('skus list house-blend')

    expect(exitCode).toBe(0)
    expect(stderr).toBe('')
    expect(stdout.trimEnd().split('\n')).toHaveLength(13)
    expect(stdout).toMatch(/House Blend 250 g, whole +890 +EUR +\{"weight":"250 g","grind":"whole"\}/)
  })

  test('finds a product whose source id has a slash and a space, even without SKUs', async () => {
    const { exitCode, stdout, stderr } = await promo('skus list "filter papers/100"')

    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '', stderr: 'no SKUs found\n' })
  })

  test('JSON, JSON Lines and CSV contain every SKU', async () => {
    const [json, jsonl, csv] = await Promise.all(
      ['json', 'jsonl', 'csv'].map((format) => promo(`skus list house-blend --format ${format}`)),
    )

    expect(JSON.parse(json?.stdout ?? '')[0]).toMatchObject({ object: 'sku', attributes: { weight: '250 g' } })
    expect(jsonl?.stdout.trimEnd().split('\n')).toHaveLength(12)
    expect(parse(csv?.stdout ?? '', { columns: true })).toHaveLength(12)
  })

  test('walks its pages, starting at the requested page', async () => {
    const all = await promo('skus list house-blend --page-size 5 --jsonl -v')
    const rest = await promo('skus list house-blend --page-size 5 --page 3 --jsonl')

    expect(all.stdout.trimEnd().split('\n')).toHaveLength(12)
    expect(all.stderr.match(/^> GET/gm)).toHaveLength(3)
    expect(rest.stdout.trimEnd().split('\n')).toHaveLength(2)
  })

  test('is limited by days, including the last one', async () => {
    const { stdout } = await promo(
      'skus list house-blend --start-date 2026-01-06 --end-date 2026-01-07 --json --query [].created_at'.split(' '),
    )

    expect(JSON.parse(stdout)).toEqual(['2026-01-06T12:00:00.000Z', '2026-01-07T12:00:00.000Z'])
  })

  test('an unknown product exits 3 and is named', async () => {
    expect(await promo('skus list no-such-product')).toEnd(3, /404 not_found.*no-such-product/)
  })

  test.each([
    [['--page', '0']],
    [['--page', '101']],
    [['--page-size', '0']],
    [['--limit', '0']],
    [['--order', 'price']],
    [['--start-date', 'monday']],
    [['--end-date', '2026-02-30']],
  ])('refuses %j before any request', async (flags) => {
    expect(await promo(['skus', 'list', 'house-blend', ...flags, '-v'])).toSendNothing(2)
  })
})
