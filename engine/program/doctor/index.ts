/** The code doctor: where an attention of a program departs from attention, with the numbers that show it and what to write instead. */
export { type Cause, type Diagnosis, type Finding, diagnosing, diagnosingText, edited } from './diagnose';
export type { Edit, Mend } from './find/found';
export { type RuleId, type Severity, isRule, ruleIds, rules, severities } from './rules';
