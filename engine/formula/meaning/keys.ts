export const unprimedKey = (key: string): string => key.replace(/'/g, '');
