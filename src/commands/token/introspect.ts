import { readCommand } from '../../cli/declared/read.ts'
import { tokenBody, tokenFlag } from '../../cli/topics/token/given-token.ts'
import { withoutToken } from '../../cli/topics/token/shown.ts'
import { introspectToken } from '../../contract/oauth.ts'
import { EXIT } from '../../errors.ts'
import { tokenColumns } from '../../output/columns/tokens.ts'

export default readCommand('Ask whether a token is active and what it may do', {
  description:
    'The token comes from --token-file, PROMO_ACCESS_TOKEN or stdin, and is never shown. Exit code 12 means that it is not active: unknown, expired or revoked.',
  examples: [
    'promo token create --scope api --raw -p sandbox | promo token introspect -p sandbox',
    "promo token create --scope api --raw -p sandbox | promo token introspect --json --query 'expires_in' -p sandbox",
  ],
  calls: [introspectToken],
  columns: tokenColumns,
  flags: tokenFlag,
  body: tokenBody,
  request: ({ body }) => ({ body }),
  shown: withoutToken,
  exit: { code: EXIT.no, isDue: ({ active }) => !active },
})
