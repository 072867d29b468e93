/** Whether an address leads over the network. */
export const isRemoteHref = (href: string): boolean => /^(https?|s3):\/\//.test(href);
