import { expect, test } from 'vitest'
import { createClient } from '../../../../src/api/client.ts'
import { readById } from '../../../../src/cli/result/read-by-id.ts'
import { getCampaign, listCampaigns } from '../../../../src/contract/campaigns.ts'
import { listVouchers } from '../../../../src/contract/voucher-lists.ts'
import { getVoucher } from '../../../../src/contract/vouchers.ts'
import { answer, scriptedServer } from '../../../support/scripted-server.ts'

const campaign = (id: string) => ({ id, object: 'campaign', name: id, campaign_type: 'PROMOTION' })
const voucher = (id: string) => ({ id, object: 'voucher', code: id })

/** A service that lists some objects, and refuses to read those that begin with `gone` or `secret`. */
async function service({ listed, isListable = true }: { listed: readonly object[]; isListable?: boolean }) {
  const server = await scriptedServer(({ url }) => {
    const [path = '', query] = url.split('?')
    const id = path.split('/')[3]
    if (id === undefined && !isListable) return answer(403, { code: 403, message: 'No', key: 'forbidden' })
    if (id === undefined) {
      const ids = [...new URLSearchParams(query)].flatMap(([name, one]) => (name.startsWith('ids') ? [one] : []))
      const data = listed.filter((one) => ids.length === 0 || ids.includes((one as { id: string }).id))
      return answer(200, { object: 'list', data_ref: 'data', data, total: data.length })
    }
    if (id.startsWith('gone')) return answer(404, { code: 404, message: 'Not found', key: 'not_found' })
    if (id.startsWith('secret')) return answer(403, { code: 403, message: 'No', key: 'forbidden' })
    return answer(200, path.startsWith('/v1/vouchers') ? voucher(id) : campaign(id))
  })
  const credentials = { application: { id: 'a', token: 't' } }
  const client = createClient({ origin: server.origin, credentials, retries: 0, userAgent: 'test' })
  return {
    client,
    paths: () => server.asked.map(({ url }) => url.replace('/v1/', '').replace(/\?.*/, '')),
    async [Symbol.asyncDispose]() {
      await client.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

const names = (found: readonly ({ id: string } | undefined)[]) => found.map((one) => one?.id)

test('one is read by itself, and once, also later', async () => {
  await using one = await service({ listed: [campaign('camp_1')] })
  const read = readById(one.client, { get: getCampaign, list: listCampaigns })

  const found = await Promise.all(['camp_1', 'camp_1'].map(read))
  const again = await read('camp_1')

  expect(names([...found, again])).toEqual(['camp_1', 'camp_1', 'camp_1'])
  expect(one.paths()).toEqual(['campaigns/camp_1'])
})

test('several are listed once; what is not in the list is read by itself, and no second list is asked for', async () => {
  await using one = await service({ listed: [campaign('camp_1'), campaign('camp_2'), campaign('camp_3')] })
  const read = readById(one.client, { get: getCampaign, list: listCampaigns })

  const found = await Promise.all(['camp_1', 'camp_2', 'camp_9'].map(read))
  const later = await Promise.all(['camp_3', 'camp_7', 'camp_8'].map(read))

  expect(names([...found, ...later])).toEqual(['camp_1', 'camp_2', 'camp_9', 'camp_3', 'camp_7', 'camp_8'])
  expect(one.paths()).toEqual(['campaigns', 'campaigns/camp_9', 'campaigns/camp_7', 'campaigns/camp_8'])
})

test('a list that takes ids is asked for those, each time', async () => {
  await using one = await service({ listed: ['v_1', 'v_2', 'v_3', 'v_4'].map(voucher) })
  const read = readById(one.client, { get: getVoucher, list: listVouchers, takesIds: true })

  await Promise.all(['v_1', 'v_2'].map(read))
  const later = await Promise.all(['v_3', 'v_4'].map(read))

  expect(names(later)).toEqual(['v_3', 'v_4'])
  expect(one.paths()).toEqual(['vouchers', 'vouchers'])
})

test('what is gone is told each time, what the key may not read once, and then nothing more is asked', async () => {
  await using one = await service({ listed: [], isListable: false })
  const told: unknown[] = []
  const read = readById(one.client, {
    get: getCampaign,
    list: listCampaigns,
    refused: ({ status }, id) => told.push([id, status]),
  })

  const found = await Promise.all(['gone_1', 'gone_2', 'camp_1'].map(read))
  const refused = await Promise.all(['secret_1', 'secret_2'].map(read))
  const later = await read('camp_2')

  expect(names([...found, ...refused, later])).toEqual([
    undefined,
    undefined,
    'camp_1',
    undefined,
    undefined,
    undefined,
  ])
  expect(told).toEqual([
    ['gone_1', 404],
    ['gone_2', 404],
    [expect.stringMatching(/^secret_/), 403],
  ])
  expect(one.paths().filter((path) => path === 'campaigns')).toHaveLength(1)
  expect(one.paths()).not.toContain('campaigns/camp_2')
})
