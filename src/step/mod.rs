//! The stages of a step, in the order of the loop.

// The promising points: the best observations so far, and fresh points at the ambient context.
pub(crate) mod batch;
pub(crate) mod elite;

// How much each context matters, by feature collapsing or, for one of the compared policies, by HSIC.
pub(crate) mod collapse;
pub(crate) mod hsic;
pub(crate) mod relevance;

// The contexts to work with: the most relevant or, for another of the policies, any half.
pub(crate) mod dropout;
pub(crate) mod selection;

// What that costs, and what is left.
pub(crate) mod budget;
pub(crate) mod cost_model;
pub(crate) mod running_costs;

// Where to run.
pub(crate) mod acquisition;
pub(crate) mod search;

// What to do, in words too.
pub(crate) mod decision;

// Whether to go on recording contexts only.
pub(crate) mod criterion;
pub(crate) mod switch;

// What the step did.
pub(crate) mod csv;
pub(crate) mod record;
