:- module(ugraphs,
          [ vertices_edges_to_ugraph/3,
            vertices/2,
            edges/2,
            add_vertices/3,
            del_vertices/3,
            add_edges/3,
            del_edges/3,
            transpose_ugraph/2,
            neighbours/3,
            neighbors/3,
            complement/2,
            compose/3,
            ugraph_union/3,
            connect_ugraph/3,
            transitive_closure/2,
            reachable/3,
            top_sort/2,
            top_sort/3,
            ugraph_layers/2
          ]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(ordsets),
              [ ord_add_element/3,
                ord_memberchk/2,
                ord_subtract/3,
                ord_union/2,
                ord_union/3
              ]).
:- use_module(library(pairs), [pairs_keys/2]).
:- use_module(library(assoc),
              [ assoc_to_keys/2,
                get_assoc/3,
                list_to_assoc/2,
                ord_list_to_assoc/2,
                put_assoc/4
              ]).

/*  Graphs without labels.

    As SWI-Prolog's library(ugraphs). A graph is an ordered list of pairs
    Vertex-Neighbours, where Neighbours is the ordered set of the vertices to
    which an edge goes from Vertex; each of them is a vertex of the graph.
*/

%!  vertices_edges_to_ugraph(+Vertices, +Edges, -Graph) is det.
%
%   Graph has Vertices and the edges From-To of the list Edges.

vertices_edges_to_ugraph(Vertices, Edges, Graph) :-
    must_be(list, Vertices),
    must_be(list(pair), Edges),
    ends(Edges, Ends, Vertices),
    sort(Ends, AllVertices),
    sort(Edges, Sorted),
    attach(AllVertices, Sorted, Graph).

ends([], Rest, Rest).
ends([A-B|Edges], [A,B|Ends], Rest) :-
    ends(Edges, Ends, Rest).

%   attach(+Vertices, +Edges, -Graph): both ordered.

attach([], _, []).
attach([V|Vs], Edges, [V-Ns|Graph]) :-
    edges_from(Edges, V, Ns, Rest),
    attach(Vs, Rest, Graph).

edges_from([], _, [], []).
edges_from([A-B|Edges], V, Ns, Rest) :-
    (   A == V
    ->  Ns = [B|Ns1],
        edges_from(Edges, V, Ns1, Rest)
    ;   Ns = [],
        Rest = [A-B|Edges]
    ).

%!  vertices(+Graph, -Vertices) is det.
%
%   Vertices is the ordered set of the vertices of Graph.

vertices(Graph, Vertices) :-
    must_be(list, Graph),
    pairs_keys(Graph, Vertices).

%!  edges(+Graph, -Edges) is det.
%
%   Edges is the ordered set of the edges From-To of Graph.

edges(Graph, Edges) :-
    must_be(list, Graph),
    edges_of(Graph, Edges).

edges_of([], []).
edges_of([V-Ns|Graph], Edges) :-
    edges_to(Ns, V, Edges, Rest),
    edges_of(Graph, Rest).

edges_to([], _, Edges, Edges).
edges_to([N|Ns], V, [V-N|Edges], Rest) :-
    edges_to(Ns, V, Edges, Rest).

%!  add_vertices(+Graph, +Vertices, -Graph2) is det.
%
%   Graph2 is Graph with Vertices.

add_vertices(Graph, Vertices, Graph2) :-
    sort(Vertices, Sorted),
    without_edges(Sorted, Graph1),
    ugraph_union(Graph, Graph1, Graph2).

without_edges([], []).
without_edges([V|Vs], [V-[]|Graph]) :-
    without_edges(Vs, Graph).

%!  del_vertices(+Graph, +Vertices, -Graph2) is det.
%
%   Graph2 is Graph without Vertices and the edges at them.

del_vertices(Graph, Vertices, Graph2) :-
    must_be(list, Graph),
    sort(Vertices, Sorted),
    remove_vertices(Graph, Sorted, Sorted, Graph2).

%   remove_vertices(+Graph, +Rest, +Vertices, -Graph2): both are in order, so that Rest, what is left of Vertices, goes along with the graph.

remove_vertices([], _, _, []).
remove_vertices([V-Ns|Graph], Rest, Vertices, Graph2) :-
    up_to_vertex(Rest, V, Rest1, Found),
    (   Found == true
    ->  remove_vertices(Graph, Rest1, Vertices, Graph2)
    ;   neighbours_left(Ns, Vertices, Ns2),
        Graph2 = [V-Ns2|Graph3],
        remove_vertices(Graph, Rest1, Vertices, Graph3)
    ).

%   up_to_vertex(+Vertices, +V, -Rest, -Found): Rest are those after V.

up_to_vertex([], _, [], false).
up_to_vertex([X|Xs], V, Rest, Found) :-
    compare(Order, X, V),
    (   Order = (<)
    ->  up_to_vertex(Xs, V, Rest, Found)
    ;   Order = (=)
    ->  Rest = Xs,
        Found = true
    ;   Rest = [X|Xs],
        Found = false
    ).

neighbours_left([], _, []) :- !.
neighbours_left(Ns, Vertices, Ns2) :-
    ord_subtract(Ns, Vertices, Ns2).

%!  add_edges(+Graph, +Edges, -Graph2) is det.
%
%   Graph2 is Graph with Edges and their vertices.

add_edges(Graph, Edges, Graph2) :-
    vertices_edges_to_ugraph([], Edges, Graph1),
    ugraph_union(Graph, Graph1, Graph2).

%!  ugraph_union(+Graph1, +Graph2, -Graph) is det.
%
%   Graph has the vertices and edges of both graphs.

ugraph_union(Graph1, Graph2, Graph) :-
    must_be(list, Graph1),
    must_be(list, Graph2),
    union_of(Graph1, Graph2, Graph).

union_of([], Graph, Graph).
union_of([V-Ns|Graph1], Graph2, Graph) :-
    union_of(Graph2, V, Ns, Graph1, Graph).

union_of([], V, Ns, Graph1, [V-Ns|Graph1]).
union_of([W-Ms|Graph2], V, Ns, Graph1, Graph) :-
    compare(Order, V, W),
    (   Order == (<)
    ->  Graph = [V-Ns|Graph3],
        union_of(Graph1, [W-Ms|Graph2], Graph3)
    ;   Order == (>)
    ->  Graph = [W-Ms|Graph3],
        union_of(Graph2, V, Ns, Graph1, Graph3)
    ;   ord_union(Ns, Ms, Ls),
        Graph = [V-Ls|Graph3],
        union_of(Graph1, Graph2, Graph3)
    ).

%!  del_edges(+Graph, +Edges, -Graph2) is det.
%
%   Graph2 is Graph without Edges, with the same vertices.

del_edges(Graph, Edges, Graph2) :-
    vertices_edges_to_ugraph([], Edges, Graph1),
    must_be(list, Graph),
    subtract_edges(Graph, Graph1, Graph2).

subtract_edges([], _, []).
subtract_edges([V-Ns|Graph1], Graph2, Graph) :-
    subtract_edges(Graph2, V, Ns, Graph1, Graph).

subtract_edges([], V, Ns, Graph1, [V-Ns|Graph1]).
subtract_edges([W-Ms|Graph2], V, Ns, Graph1, Graph) :-
    compare(Order, V, W),
    (   Order == (<)
    ->  Graph = [V-Ns|Graph3],
        subtract_edges(Graph1, [W-Ms|Graph2], Graph3)
    ;   Order == (>)
    ->  subtract_edges(Graph2, V, Ns, Graph1, Graph)
    ;   ord_subtract(Ns, Ms, Ls),
        Graph = [V-Ls|Graph3],
        subtract_edges(Graph1, Graph2, Graph3)
    ).

%!  transpose_ugraph(+Graph, -Transposed) is det.
%
%   Transposed has the edges of Graph turned round.

transpose_ugraph(Graph, Transposed) :-
    edges(Graph, Edges),
    vertices(Graph, Vertices),
    turn_round(Edges, Turned),
    sort(Turned, Sorted),
    attach(Vertices, Sorted, Transposed).

turn_round([], []).
turn_round([A-B|Edges], [B-A|Turned]) :-
    turn_round(Edges, Turned).

%!  neighbours(+Vertex, +Graph, -Neighbours) is semidet.
%
%   Neighbours is the ordered set of the vertices to which an edge goes from
%   Vertex.

neighbours(Vertex, Graph, Neighbours) :-
    must_be(list, Graph),
    neighbours_in(Graph, Vertex, Neighbours).

neighbours_in([V-Ns|Graph], Vertex, Neighbours) :-
    (   V == Vertex
    ->  Neighbours = Ns
    ;   neighbours_in(Graph, Vertex, Neighbours)
    ).

%!  neighbors(+Vertex, +Graph, -Neighbours) is semidet.
%
%   Another spelling of neighbours/3.

neighbors(Vertex, Graph, Neighbours) :-
    neighbours(Vertex, Graph, Neighbours).

%!  complement(+Graph, -Complement) is det.
%
%   Complement has an edge between two different vertices where Graph has none.

complement(Graph, Complement) :-
    vertices(Graph, Vertices),
    complement_of(Graph, Vertices, Complement).

complement_of([], _, []).
complement_of([V-Ns|Graph], Vertices, [V-Ms|Complement]) :-
    ord_add_element(Ns, V, Ns1),
    ord_subtract(Vertices, Ns1, Ms),
    complement_of(Graph, Vertices, Complement).

%!  compose(+Graph1, +Graph2, -Graph) is det.
%
%   Graph has the edges A-C for which Graph1 has an A-B and Graph2 a B-C, and
%   the vertices of both.

compose(Graph1, Graph2, Graph) :-
    vertices(Graph1, Vertices1),
    vertices(Graph2, Vertices2),
    ord_union(Vertices1, Vertices2, Vertices),
    ord_list_to_assoc(Graph2, Assoc),
    compose_(Vertices, Graph1, Assoc, Graph).

compose_([], _, _, []).
compose_([V|Vs], Graph1, Assoc, [V-Ms|Graph]) :-
    (   Graph1 = [W-Ns|Graph3],
        W == V
    ->  neighbours_of_all(Ns, Assoc, Sets),
        ord_union(Sets, Ms),
        compose_(Vs, Graph3, Assoc, Graph)
    ;   Ms = [],
        compose_(Vs, Graph1, Assoc, Graph)
    ).

neighbours_of_all([], _, []).
neighbours_of_all([V|Vs], Assoc, Sets) :-
    (   get_assoc(V, Assoc, Ns)
    ->  Sets = [Ns|Sets1]
    ;   Sets = Sets1
    ),
    neighbours_of_all(Vs, Assoc, Sets1).

%!  connect_ugraph(+Graph, -Start, -Connected) is det.
%
%   Connected is Graph with a new vertex Start, before all others in the
%   standard order, that has an edge to each of them.

connect_ugraph(Graph, Start, Connected) :-
    vertices(Graph, Vertices),
    (   Vertices = [First|_]
    ->  before(First, Start),
        Connected = [Start-Vertices|Graph]
    ;   Start = 0,
        Connected = []
    ).

%   before(@First, -Start): numbers come before all terms but variables.

before(First, Start) :-
    (   number(First)
    ->  Start is floor(First)-1
    ;   Start = 0
    ).

%!  reachable(+Vertex, +Graph, -Reachable) is semidet.
%
%   Reachable is the ordered set of the vertices on paths from Vertex, itself
%   among them; fails if Vertex is not in Graph.

reachable(Vertex, Graph, Reachable) :-
    must_be(list, Graph),
    ord_list_to_assoc(Graph, Assoc),
    get_assoc(Vertex, Assoc, _),
    list_to_assoc([Vertex-true], Seen),
    reach([Vertex], Assoc, Seen, Reachable).

reach([], _, Seen, Reached) :-
    assoc_to_keys(Seen, Reached).
reach([V|Vs], Assoc, Seen0, Reached) :-
    (   get_assoc(V, Assoc, Ns)
    ->  push_unseen(Ns, Vs, Vs1, Seen0, Seen)
    ;   Seen = Seen0,
        Vs1 = Vs
    ),
    reach(Vs1, Assoc, Seen, Reached).

push_unseen([], Vs, Vs, Seen, Seen).
push_unseen([N|Ns], Vs0, Vs, Seen0, Seen) :-
    (   get_assoc(N, Seen0, _)
    ->  push_unseen(Ns, Vs0, Vs, Seen0, Seen)
    ;   put_assoc(N, Seen0, true, Seen1),
        push_unseen(Ns, [N|Vs0], Vs, Seen1, Seen)
    ).

%!  transitive_closure(+Graph, -Closure) is det.
%
%   Closure has an edge where Graph has a path of one or more edges, by the
%   algorithm of S. Warshall (1962).

transitive_closure(Graph, Closure) :-
    must_be(list, Graph),
    warshall(Graph, Graph, Closure).

warshall([], Closure, Closure).
warshall([V-_|Graph], Closure0, Closure) :-
    neighbours_in(Closure0, V, Ns),
    through(Closure0, V, Ns, Closure1),
    warshall(Graph, Closure1, Closure).

%   through(+Graph, +V, +Ns, -Graph2): whoever reaches V reaches its Ns.

through([], _, _, []).
through([W-Ms|Graph], V, Ns, [W-Ls|Graph2]) :-
    (   ord_memberchk(V, Ms)
    ->  ord_union(Ms, Ns, Ls)
    ;   Ls = Ms
    ),
    through(Graph, V, Ns, Graph2).

%!  top_sort(+Graph, -Sorted) is semidet.
%
%   Sorted has the vertices of Graph so that edges go from earlier to later
%   ones; fails if Graph has a cycle. The algorithm is that of A.B. Kahn (1962).

top_sort(Graph, Sorted) :-
    top_sort(Graph, [], Sorted).

%!  top_sort(+Graph, ?Tail, -Sorted) is semidet.
%
%   As top_sort/2 with the vertices of Graph before Tail.

top_sort(Graph, Tail, Sorted) :-
    must_be(list, Graph),
    once(edges(Graph, Edges)),      % sets of neighbours without an end have none more
    ord_list_to_assoc(Graph, Assoc),
    zero_counts(Graph, Zeros),
    ord_list_to_assoc(Zeros, Counts0),
    count_edges(Edges, Counts0, Counts),
    free_vertices(Graph, Counts, Free),
    length(Graph, N),
    kahn(Free, Assoc, Counts, N, Sorted, Tail).

zero_counts([], []).
zero_counts([V-_|Graph], [V-0|Zeros]) :-
    zero_counts(Graph, Zeros).

count_edges([], Counts, Counts).
count_edges([_-B|Edges], Counts0, Counts) :-
    get_assoc(B, Counts0, N0),
    N is N0+1,
    put_assoc(B, Counts0, N, Counts1),
    count_edges(Edges, Counts1, Counts).

free_vertices([], _, []).
free_vertices([V-_|Graph], Counts, Free) :-
    (   get_assoc(V, Counts, 0)
    ->  Free = [V|Free1]
    ;   Free = Free1
    ),
    free_vertices(Graph, Counts, Free1).

kahn([], _, _, 0, Tail, Tail).
kahn([V|Vs], Assoc, Counts0, N, [V|Sorted], Tail) :-
    get_assoc(V, Assoc, Ns),
    take_edges(Ns, Counts0, Counts, Vs, Vs1),
    N1 is N-1,
    kahn(Vs1, Assoc, Counts, N1, Sorted, Tail).

take_edges([], Counts, Counts, Free, Free).
take_edges([V|Vs], Counts0, Counts, Free0, Free) :-
    get_assoc(V, Counts0, N0),
    N is N0-1,
    put_assoc(V, Counts0, N, Counts1),
    (   N =:= 0
    ->  Free1 = [V|Free0]
    ;   Free1 = Free0
    ),
    take_edges(Vs, Counts1, Counts, Free1, Free).

%!  ugraph_layers(+Graph, -Layers) is semidet.
%
%   Layers are sets of vertices so that edges go from earlier sets to later
%   ones, each vertex as early as it can be; fails if Graph has a cycle.

ugraph_layers(Graph, Layers) :-
    must_be(list, Graph),
    once(edges(Graph, Edges)),      % sets of neighbours without an end have none more
    ord_list_to_assoc(Graph, Assoc),
    zero_counts(Graph, Zeros),
    ord_list_to_assoc(Zeros, Counts0),
    count_edges(Edges, Counts0, Counts),
    free_vertices(Graph, Counts, Free),
    length(Graph, N),
    layers(Free, Assoc, Counts, N, Layers).

layers([], _, _, 0, []).
layers([V|Vs], Assoc, Counts0, N, [Layer|Layers]) :-
    sort([V|Vs], Layer),
    length(Layer, M),
    layer_edges(Layer, Assoc, Counts0, Counts, [], Next),
    N1 is N-M,
    layers(Next, Assoc, Counts, N1, Layers).

layer_edges([], _, Counts, Counts, Next, Next).
layer_edges([V|Vs], Assoc, Counts0, Counts, Next0, Next) :-
    get_assoc(V, Assoc, Ns),
    take_edges(Ns, Counts0, Counts1, Next0, Next1),
    layer_edges(Vs, Assoc, Counts1, Counts, Next1, Next).
