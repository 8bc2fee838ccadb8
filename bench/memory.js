// Whether `vouchers disable --from` uses the same memory for 10,000 rows as for 100,000.
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'undici'
import { between } from './figures.js'
import { ownSandbox } from './own-sandbox.js'
import { table } from './stats.js'
import { timedChild } from './timed-child.js'

const bin = join(import.meta.dirname, '../bin/run.js')
const sizes = [10_000, 100_000]

/** Disables vouchers of a sandbox in its own process and returns a Markdown section with the peak memory of the CLI. */
export async function memory(folder) {
  const service = await ownSandbox(folder)
  await createVouchers(service, Math.max(...sizes))

  const rows = []
  for (const size of sizes) {
    const file = join(folder, `${size}.csv`)
    await writeCodes(file, size)
    const run = await disable(file, service, folder)
    rows.push({ size, ...run })
  }
  await service.stop()

  const [small, large] = rows
  const cells = rows.map(({ size, peakMb, seconds }) => [
    size.toLocaleString('en'),
    peakMb.toFixed(0),
    seconds.toFixed(1),
    Math.round(size / seconds).toLocaleString('en'),
  ])
  const figures = [between('memory: 100,000 rows over 10,000', large.peakMb / small.peakMb, 0.9, 1.1)]
  const text = `## Memory of \`vouchers disable --from\`

Against the sandbox in a process of its own.

${table(['rows', 'peak RSS of the CLI (MB)', 'seconds', 'rows/s'], cells)}

Peak memory of 100,000 rows over 10,000 rows: ${(large.peakMb / small.peakMb).toFixed(2)} (goal 0.90 to 1.10).
`
  return { text, figures }
}

async function createVouchers({ url, app_id, app_token }, count) {
  const pool = new Pool(url, { connections: 16 })
  const headers = { 'x-app-id': app_id, 'x-app-token': app_token, 'content-type': 'application/json' }
  const body = JSON.stringify({ type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } })
  let next = 0
  const worker = async () => {
    while (next < count) {
      const answer = await pool.request({ method: 'POST', path: `/v1/vouchers/BENCH-${next++}`, headers, body })
      if (answer.statusCode !== 200) throw new Error(`create answered ${answer.statusCode}`)
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  await pool.close()
}

async function writeCodes(file, count) {
  const stream = createWriteStream(file)
  stream.write('code\n')
  for (let row = 0; row < count; row++) stream.write(`BENCH-${row}\n`)
  await new Promise((resolve) => stream.end(resolve))
}

async function disable(file, { url, project_id, app_id, app_token }, folder) {
  return await timedChild([process.execPath, bin, 'vouchers', 'disable', '--from', file, '--yes', '--quiet'], {
    HOME: folder,
    PROMO_STATE_DIR: join(folder, 'state'),
    PROMO_CONFIG_DIR: join(folder, 'config'),
    PROMO_BASE_URL: url,
    PROMO_PROJECT_ID: project_id,
    PROMO_APP_ID: app_id,
    PROMO_APP_TOKEN: app_token,
  })
}
