/* Results of which copies or lanes of the hardware store parts, as one: in arrays of yours, in the
   format that the result has without copies and lanes.

   A function joins the parts that a run has left. `memory` gives what the processor sees at an
   address of the kernel's bus; 0: the same address. `sizes` are those of the result's levels,
   outermost first, and `fill` is the value of what no part has. The struct has arrays and, as the
   words of each, its room; these words are then the ones that the result has. It returns 0, or an
   error; where there is too little room nothing is stored beyond it, and the words tell what is
   needed. So the first call may have no arrays. */
