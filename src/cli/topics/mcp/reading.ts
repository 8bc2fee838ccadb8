// What an assistant may read beside the tools: how errors and exit codes are meant, the terms, and how to begin with three questions.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { sanitize } from '../../../base/text/sanitize.ts'
import { exitCodes } from '../../help/exit-codes.ts'

/** A document, by its address. */
export interface Document {
  uri: string
  title: string
  text: (root: string) => string
}

const packagedFile = (file: string) => (root: string) => readFileSync(join(root, 'dist/agents', file), 'utf8')

/** The documents, by name. */
export const documents: Readonly<Record<string, Document>> = {
  errors: { uri: 'promo://errors', title: 'What errors say, and what to do next', text: packagedFile('errors.md') },
  exit_codes: {
    uri: 'promo://exit-codes',
    title: 'Exit codes',
    text: () => exitCodes.map(({ code, meaning, again }) => `${code}: ${meaning}; again: ${again || '-'}`).join('\n'),
  },
  glossary: { uri: 'promo://glossary', title: 'The terms of the project', text: packagedFile('glossary.md') },
}

/** A beginning of a conversation. */
export interface Beginning {
  title: string
  description: string
  input: z.ZodObject
  text: (given: never) => string
}

const textArgument = (description: string) => z.string().min(1).max(250).describe(description)
/** A text of the user as data: on one line, in quotes. */
const quote = (text: string) => JSON.stringify(sanitize(text))

function beginning<Input extends z.ZodObject>(
  title: string,
  description: string,
  input: Input,
  text: (given: z.output<Input>) => string,
): Beginning {
  return { title, description, input, text }
}

/** The beginnings, by name. */
export const prompts: Readonly<Record<string, Beginning>> = {
  why_refused: beginning(
    'Why was this code refused?',
    'Finds out why a code was refused for a customer.',
    z.strictObject({ code: textArgument('code'), customer: textArgument('customer').optional() }),
    ({ code, customer }) =>
      `Why was the code ${quote(code)} refused${customer === undefined ? '' : ` for the customer ${quote(customer)}`}? Look at its failed redemptions (list_redemptions with result FAILURE) and whether it would apply now (explain_validation). Say in one sentence what was wrong, then what the customer can do.`,
  ),
  what_happened_to_points: beginning(
    'What happened to the points of this customer?',
    'Tells how the points of a customer changed, and whether they add up.',
    z.strictObject({ customer: textArgument('customer, or the code of a loyalty card') }),
    ({ customer }) =>
      `What happened to the points of the customer ${quote(customer)}? Find the loyalty cards (show_customer), list the transactions of each (list_transactions), and check that they add up (verify). Tell it as a short account with dates, points and balances.`,
  ),
  is_campaign_ready: beginning(
    'Is this campaign ready to launch?',
    'Checks dates, state, codes and whether an example cart gets the discount.',
    z.strictObject({ campaign: textArgument('campaign, by id or name') }),
    ({ campaign }) =>
      `Is the campaign ${quote(campaign)} ready to launch? Look at it and at its summary (list_campaigns with campaign): is it on, are its dates right, does it have codes? Then validate an example cart with one of its codes (explain_validation). End with a list of what is missing, or say that nothing is.`,
  ),
}
