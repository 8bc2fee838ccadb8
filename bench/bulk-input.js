// The starting point of bulk measurements: a file of codes, and a promo without any state.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the given number of codes as CSV, and next to it (`.urls`) as the addresses to call. */
export function codesIn(folder, count, url) {
  const file = join(folder, `${count}.csv`)
  const codes = Array.from({ length: count }, (_, n) => `BENCH-${String(n).padStart(7, '0')}`)
  writeFileSync(file, `code\n${codes.join('\n')}\n`)
  writeFileSync(`${file}.urls`, `${codes.map((code) => `${url}/v1/vouchers/${code}/disable`).join('\n')}\n`)
  return file
}

/** Returns the environment with a home of its own for every run: the same command line would resume an existing job. */
export function promoEnv(url, folder) {
  const home = mkdtempSync(join(folder, 'home-'))
  return { HOME: home, PROMO_BASE_URL: url, PROMO_APP_ID: 'bench-app', PROMO_APP_TOKEN: 'bench-token' }
}
