// advice.cpp -- the whole question from C++17: which way, how sure is that, and what would a change gain
//
//     c++ -std=c++17 advice.cpp $(pkg-config --cflags --libs nsmodel) -o advice && ./advice
#include <nsmodel/nsmodel.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

// A result that begins with its size: all else 0.
template <class Result> static Result sized()
{
    Result result{};
    result.size = sizeof result;
    return result;
}

static void check(ns_status status, const ns_error &err)
{
    char text[1024];
    if (status == NS_OK)
        return;
    std::fprintf(stderr, "advice: %s\n", ns_error_format(&err, text, sizeof text));
    std::exit(EXIT_FAILURE);
}

template <class Handle> using owned = std::unique_ptr<Handle, void (*)(Handle *)>;

int main()
{
    ns_error err{};
    ns_machine *machine;
    ns_exchange *exchange;
    ns_selection *selection;
    ns_comparison *comparison;
    check(ns_machine_load("lassen", &machine, &err), err);
    const owned<ns_machine> keep_machine(machine, ns_machine_free);

    // 16 parts in a ring, four to a node; each sends 1 MiB to both neighbours.
    std::vector<ns_planned> messages;
    for (int32_t p = 0; p < 16; p++)
        for (int32_t step : {1, 15})
            messages.push_back({p, (p + step) % 16, 1 << 20});
    check(ns_exchange_from_messages(messages.data(), messages.size(), {16, 4}, nullptr, &exchange, &err), err);
    const owned<ns_exchange> keep_exchange(exchange, ns_exchange_free);

    check(ns_selection_open(&selection, &err), err);
    const owned<ns_selection> keep_selection(selection, ns_selection_free);
    check(ns_selection_incumbent(selection, "standard", NS_VIA_HOST, &err), err);
    check(ns_compare(exchange, machine, selection, &comparison, &err), err);
    const owned<ns_comparison> keep_comparison(comparison, ns_comparison_free);

    auto way = sized<ns_choice_info>();
    for (int i = 0; i < ns_comparison_choices(comparison); i++) {
        check(ns_comparison_choice(comparison, i, &way, &err), err);
        std::printf("%c %-10s by %-6s %8.2f us, the fastest with %2.0f %%\n", way.best ? '*' : ' ', way.name,
                    ns_word(NS_WORDS_TRANSPORT, way.transport), 1e6 * way.estimate_s, 100 * way.p_best);
    }
    auto gain = sized<ns_gain_info>();
    check(ns_comparison_gain(comparison, &gain, &err), err);
    std::printf("a change is faster with %.0f %%, by a factor of %.2f; keeping what is used costs %.2f in ln time\n",
                100 * gain.p_better, gain.q50, gain.regret);
    return EXIT_SUCCESS;
}
