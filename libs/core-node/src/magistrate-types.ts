/** The types of the businesses' group, as nodes of Core 2.6 to 3.9 tell them: numbers by name. */
export const MAGISTRATE_TYPES: Readonly<Record<string, number>> = {
  BusinessRegistration: 0,
  BusinessResignation: 1,
  BusinessUpdate: 2,
  BridgechainRegistration: 3,
  BridgechainResignation: 4,
  BridgechainUpdate: 5,
  Entity: 6,
};
