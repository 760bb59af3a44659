/* What is asked for, what is shown and what is under way (model); how it is computed (asking); what comes from the host (receiving). */
export { ask, cancel, currentStep, needsTokens } from './asking';
export { createSession, update, type Host, type Session, type Shown } from './model';
export { begin, receive } from './receiving';
