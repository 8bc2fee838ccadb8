import { beforeAll, describe, expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { transcripts } from '../support/transcripts.ts'

const promo = promoIn(temporaryFolder())

beforeAll(async () => {
  await promo('profiles use sandbox')
})

describe('skus list', () => {
  transcripts(promo)(`
    # shows the SKUs of a product named by its source id
    $ skus list house-blend
    rows 13
    > House Blend 250 g, whole  890  EUR  {"weight":"250 g","grind":"whole"}
    !=
    # finds a product whose source id has a slash and a space, even without SKUs
    $ skus list "filter papers/100"
    =
    != no SKUs found
    # walks its pages, starting at the requested page
    $ skus list house-blend --page-size 5 --jsonl -v
    rows 12
    sends 3
    $ skus list house-blend --page-size 5 --page 3 --jsonl
    rows 2
    # is limited by days, including the last one
    $ skus list house-blend --start-date 2026-01-06 --end-date 2026-01-07 --json --query [].created_at
    json = ["2026-01-06T12:00:00.000Z", "2026-01-07T12:00:00.000Z"]
  `)

  test.each([
    '--page 0',
    '--page 101',
    '--page-size 0',
    '--limit 0',
    '--order price',
    '--start-date monday',
    '--end-date 2026-02-30',
  ])('refuses %s before any request', async (flags) => {
    expect(await promo(`skus list house-blend ${flags} -v`)).toSendNothing(2)
  })
})
