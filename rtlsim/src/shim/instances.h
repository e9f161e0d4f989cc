// Class templates of the standard library that inline functions of verilated.h use and designs do
// not. A compiler would instantiate them in every design, which takes longer than to compile a small
// one; so designs that are compiled quickly only hear of them, and an object of the runtime has them.
#include <deque>
#include <set>
#include <string>
#include <vector>

class VlDeletable;
class VlProcess;

SAMHW_INSTANCE class std::basic_string<char16_t>;
SAMHW_INSTANCE class std::basic_string<char32_t>;
SAMHW_INSTANCE class std::deque<unsigned char>;
SAMHW_INSTANCE class std::deque<unsigned short>;
SAMHW_INSTANCE class std::deque<unsigned int>;
SAMHW_INSTANCE class std::deque<unsigned long>;
SAMHW_INSTANCE class std::set<VlProcess*>;
SAMHW_INSTANCE class std::vector<VlDeletable*>;
#ifdef __GLIBCXX__
SAMHW_INSTANCE class std::_Rb_tree<VlProcess*, VlProcess*, std::_Identity<VlProcess*>, std::less<VlProcess*>>;
#endif
