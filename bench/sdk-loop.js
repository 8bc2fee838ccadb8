// The published SDK: `node sdk-loop.js URL FILE IN_FLIGHT` disables the codes of a file.
import { readFileSync } from 'node:fs'
import sdkPackage from '@voucherify/sdk'

const [apiUrl, file, inFlight] = process.argv.slice(2)
const codes = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1)
const sdk = sdkPackage.VoucherifyServerSide({ apiUrl, applicationId: 'bench-app', secretKey: 'bench-token' })
let next = 0

async function worker() {
  while (next < codes.length) {
    const voucher = await sdk.vouchers.disable(codes[next++])
    if (voucher.active !== false) throw new Error('not disabled')
  }
}
await Promise.all(Array.from({ length: Number(inFlight) }, worker))
