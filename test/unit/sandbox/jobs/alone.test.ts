import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { temporaryFolder } from '../../../support/promo.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { root } from '../../../support/source-files.ts'

test('a server without requests works through all slices of a job', async () => {
  const receiver = await startReceiver()
  const child = spawn(process.execPath, [
    join(root, 'test/support/serve-sandbox.ts'),
    join(temporaryFolder(), 'alone.db'),
  ])
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, project_id, app_id, app_token, management_id, management_token } = JSON.parse(line)
    const post = (path: string, headers: Record<string, string>, body: object) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify(body),
      })
    await post(
      `/management/v1/projects/${project_id}/webhooks`,
      { 'x-management-id': management_id, 'x-management-token': management_token },
      { target_url: receiver.url, events: ['campaign.vouchers.generation.completed'] },
    )
    const voucher = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } }
    await post(
      '/v1/campaigns',
      { 'x-app-id': app_id, 'x-app-token': app_token },
      { name: 'Many', campaign_type: 'DISCOUNT_COUPONS', voucher, vouchers_count: 5000 },
    )
    break
  }

  await eventually(() => receiver.received.length > 0)

  expect(receiver.received[0]?.body).toMatchObject({
    type: 'campaign.vouchers.generation.completed',
    data: { count: 5000 },
  })
  child.kill('SIGTERM')
  await receiver.close()
})
