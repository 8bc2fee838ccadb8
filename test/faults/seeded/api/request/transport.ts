// Seam: how the transport reports a connection that was reset.
import * as sound from '../../../../../src/api/request/transport.ts'
import { has } from '../../../seeded-bug.ts'

export * from '../../../../../src/api/request/transport.ts'

export const createTransport: typeof sound.createTransport = (options) => {
  const transport = sound.createTransport(options)
  if (!has('reset is not sent')) return transport
  return {
    ...transport,
    async send(request) {
      const result = await transport.send(request)
      return 'code' in result && result.code === 'ECONNRESET' ? { ...result, sent: false } : result
    },
  }
}
