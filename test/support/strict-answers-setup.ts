// Fails the test in which the embedded service answers what its OpenAPI document does not say.
import { afterAll, afterEach, beforeAll } from 'vitest'
import { answerProblems, listenForAnswers } from './strict-answers.ts'

let stop: () => void

beforeAll(() => {
  stop = listenForAnswers()
})

afterEach(mustBeDescribed)

afterAll(() => {
  stop()
  mustBeDescribed()
})

function mustBeDescribed(): void {
  const problems = answerProblems()
  if (problems.length === 0) return
  throw new Error(
    `the answers are not what src/contract/answers (or the response of the endpoint) says:\n${problems.join('\n')}`,
  )
}
