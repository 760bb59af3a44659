/** Names that statements bind, those of nested functions left out. */
export function assignedNames(body: unknown, into = new Set<string>()): Set<string> {
  if (Array.isArray(body)) for (const part of body) assignedNames(part, into);
  else if (typeof body === 'object' && body !== null) {
    const { nodeType, ctx, id, name, asname, rest } = body as {
      nodeType?: string;
      ctx?: { nodeType: string };
      id?: string;
      name?: string;
      asname?: string;
      rest?: string;
    };
    // What a comprehension goes through is its own.
    const parts = nodeType === 'Comprehension' ? { ...body, target: undefined } : body;
    if (/^(?:Match(?:As|Star)|ExceptHandler)$/.test(nodeType ?? '') && name) into.add(name);
    if (nodeType === 'MatchMapping' && rest) into.add(rest);
    if (nodeType === 'Alias' && name) into.add(asname ?? name.split('.')[0] ?? name);
    if (nodeType === 'Name' && ctx?.nodeType === 'Store' && id) into.add(id);
    if (nodeType === 'FunctionDef' || nodeType === 'ClassDef') into.add(name ?? '');
    else for (const part of Object.values(parts)) if (typeof part === 'object') assignedNames(part, into);
  }
  return into;
}
