// How a command ended, in one expectation that shows all of stderr where it fails.
import { expect } from 'vitest'

interface Ended {
  exitCode: number
  stderr: string
}

declare module 'vitest' {
  interface Matchers {
    /** The exit code, and what stderr has: texts or patterns. */
    toEnd(code: number, ...says: (string | RegExp)[]): void
    /** Likewise; and with --verbose, nothing was sent. */
    toSendNothing(code: number, ...says: (string | RegExp)[]): void
  }
}

expect.extend({
  toEnd: ended,
  toSendNothing(ran: Ended, code: number, ...says: (string | RegExp)[]) {
    const [request] = /^> [A-Z]+ .*/m.exec(ran.stderr) ?? []
    return request === undefined ? ended(ran, code, ...says) : { pass: false, message: () => `sent ${request}` }
  },
})

function ended({ exitCode, stderr }: Ended, code: number, ...says: (string | RegExp)[]) {
  const missing = says.filter((text) => (typeof text === 'string' ? !stderr.includes(text) : !text.test(stderr)))
  return {
    pass: exitCode === code && missing.length === 0,
    message: () => `expected exit ${code}, not ${exitCode}, and ${missing.join(', ') || 'nothing else'} in:\n${stderr}`,
  }
}
