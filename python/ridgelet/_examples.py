"""An example for everything in the package: appended to the documentation, and run by the tests."""

EXAMPLES = {
    "Activation": """
        >>> rl.Activation("gelu").phi([-1.0, 0.0, 1.0]).round(3)
        array([-0.159,  0.   ,  0.841])
    """,
    "Activation.phi": """
        >>> rl.Activation("relu").phi([-1.0, 2.0])
        array([0., 2.])
    """,
    "Activation.derivative": """
        >>> rl.Activation("tanh").derivative([0.0])
        array([1.])
    """,
    "ActivationPair": """
        >>> pair = rl.ActivationPair("tanh", dimension=2)
        >>> pair.order, round(pair.admissibility, 6)
        (4, 1.0)
    """,
    "ActivationPair.phi": """
        >>> rl.ActivationPair("tanh").phi([0.0])
        array([0.])
    """,
    "ActivationPair.psi": """
        >>> rl.ActivationPair("tanh").psi([[0.0, 1.0]]).shape
        (1, 2)
    """,
    "Assumptions": """
        >>> rl.ActivationPair("tanh").assumptions.bounded
        True
    """,
    "Fitted": """
        >>> fitted = rl.fit(X, y, kernel="se()", noise=0.1)
        >>> fitted
        <ridgelet.Fitted: y given x from 20 rows, a network with 100 units, kernel se()>
    """,
    "Fitted.predict": """
        >>> mean, sd = fitted.predict([[0.0], [1.0]])
        >>> mean.shape, sd.shape
        ((2,), (2,))
    """,
    "Fitted.interval": """
        >>> lower, upper = fitted.interval([[0.0], [1.0]], level=0.5)
        >>> mean, sd = fitted.predict([[0.0], [1.0]])
        >>> bool(np.allclose(upper - mean, 0.6744897501960817 * sd))
        True
    """,
    "Fitted.network_of_draws": """
        >>> sampled = rl.fit(X, y, kernel="se()", noise=0.1, hidden="sampled", chains=2, warmup=5, draws=10, units=20)
        >>> sampled.network_of_draws(5)
        <ridgelet.PredictiveNetwork: 1 input, 1 output, 5 networks of 20 tanh units, rank ...>
    """,
    "Fitted.functions": """
        >>> fitted.functions([[0.0], [1.0]], draws=5).shape
        (5, 2)
    """,
    "Fitted.covariance": """
        >>> fitted.covariance([[0.0], [1.0], [2.0]]).shape
        (3, 3)
    """,
    "Fitted.score": """
        >>> sorted(fitted.score(X, y))
        ['coverage', 'crps', 'log_density', 'mae', 'r2', 'rmse', 'rows', 'width']
    """,
    "Fitted.error": """
        >>> bool(fitted.error(X).max() < 0.1)
        True
    """,
    "Fitted.outside": """
        >>> fitted.outside([[0.0], [100.0]])
        array([False,  True])
    """,
    "Fitted.save": """
        >>> fitted.save(folder + "/model.nc")               # a text or a pathlib.Path
        >>> rl.load(folder + "/model.nc").kernel
        ridgelet.kernel("se(amplitude=1, lengthscale=1)")
    """,
    "GaussianProcess": """
        >>> process = rl.GaussianProcess("se(lengthscale=2)", mean="0.5*x")
        >>> process
        ridgelet.GaussianProcess("se(amplitude=1, lengthscale=2)", mean="0.5*x")
    """,
    "GaussianProcess.prior": """
        >>> mean, variance = rl.GaussianProcess("se()", mean="2*x").prior([[1.0]])
        >>> mean, variance
        (array([2.]), array([1.]))
    """,
    "GaussianProcess.sample": """
        >>> rl.GaussianProcess("se()").sample(X, draws=3, seed=1).shape
        (3, 20)
    """,
    "GaussianProcess.predict": """
        >>> mean, variance = rl.GaussianProcess("se()").predict(X, y, 0.1, [[0.5]])
        >>> bool(variance[0] < 1)
        True
    """,
    "GaussianProcess.posterior_covariance": """
        >>> rl.GaussianProcess("se()").posterior_covariance(X, y, 0.1, X[:2], X[:3]).shape
        (2, 3)
    """,
    "GaussianProcess.log_marginal_likelihood": """
        >>> likely, unlikely = (rl.GaussianProcess("se()").log_marginal_likelihood(X, v, 0.1) for v in (y, 50 * y))
        >>> likely > unlikely
        True
    """,
    "GivenHidden": """
        >>> given = prior.given(*prior.draw_hidden(seed=1))
        >>> given
        <ridgelet.GivenHidden: 60 hidden units given, of <ridgelet.Prior: 1 layer of 60 tanh units by the least-squares operator on 40 nodes, kernel se(amplitude=1, lengthscale=1), mean 0>>
    """,
    "GivenHidden.operator": """
        >>> given.operator().shape == (prior.units, len(prior.nodes))
        True
    """,
    "GivenHidden.mean": """
        >>> given.mean(X).shape
        (20,)
    """,
    "GivenHidden.covariance": """
        >>> given.covariance(X, X[:5]).shape
        (20, 5)
    """,
    "GivenHidden.rmse": """
        >>> given.rmse([[0.0]]).shape
        (1,)
    """,
    "GivenHidden.weights": """
        >>> mean, factor = given.weights()
        >>> factor.shape == (prior.units, prior.rank)
        True
    """,
    "GivenHidden.draw_weights": """
        >>> given.draw_weights(seed=2).shape == (prior.units,)
        True
    """,
    "GivenHidden.log_density": """
        >>> given.log_density(given.draw_weights(seed=2)) < given.log_density(given.weights()[0])
        True
    """,
    "GivenHidden.log_marginal_likelihood": """
        >>> given.log_marginal_likelihood(X, y, 0.1) > given.log_marginal_likelihood(X, 50 * y, 0.1)
        True
    """,
    "GivenHidden.predict": """
        >>> mean, variance = given.predict(X, y, 0.1, [[0.5]])
        >>> bool(variance[0] < 1)
        True
    """,
    "IoError": """
        >>> rl.load("nowhere.nc")
        Traceback (most recent call last):
        ...
        ridgelet.IoError: cannot read 'nowhere.nc': No such file or directory
    """,
    "Kernel": """
        >>> k = rl.kernel("se(lengthscale=2)") + 0.5 * rl.kernel("linear()")
        >>> k([[1.0]], [[1.0], [2.0]]).round(3)
        array([[1.5  , 1.882]])
    """,
    "Kernel.__call__": """
        >>> rl.kernel("se()")([[0.0], [3.0]]).shape
        (2, 2)
    """,
    "Network": """
        >>> net = prior.sample(seed=0)
        >>> net(X).shape
        (20,)
    """,
    "Network.__call__": """
        >>> prior.sample(seed=0)([[0.0], [1.0]]).shape
        (2,)
    """,
    "Nodes": """
        >>> rl.Nodes(points=[[0.0], [1.0]], weights=[0.5, 0.5])
        <ridgelet.Nodes: 2 points of 1 input>
    """,
    "PredictiveNetwork": """
        >>> network = fitted.network
        >>> network
        <ridgelet.PredictiveNetwork: 1 input, 1 output, 100 tanh units, rank ...>
    """,
    "PredictiveNetwork.__call__": """
        >>> mean, sd = fitted.network([[0.0], [1.0]])
        >>> bool(np.allclose(mean, fitted.predict([[0.0], [1.0]])[0]))
        True
    """,
    "PredictiveNetwork.probability": """
        >>> side = (X[:, 0] > 0).astype(float)
        >>> sides = rl.fit(X, side, likelihood="bernoulli", classes=["left", "right"], kernel="se()")
        >>> sides.network.probability([[2.0]]).shape
        (1, 2)
    """,
    "PredictiveNetwork.functions": """
        >>> fitted.network.functions([[0.0], [1.0]], draws=5).shape
        (5, 2)
    """,
    "PredictiveNetwork.export": """
        >>> fitted.network.export(folder + "/model.c")
        >>> "ridgelet_predict" in open(folder + "/model.c").read()
        True
    """,
    "PredictiveNetwork.to_numpy": """
        >>> fitted.network.to_numpy()["networks"][0]["w"].shape
        (100, 1)
    """,
    "PredictiveNetwork.to_torch": """
        >>> try:
        ...     network = fitted.network.to_torch()
        ... except ImportError as missing:
        ...     print(missing)
        to_torch() needs PyTorch, which is not installed; export('model.py') needs nothing
    """,
    "Prior": """
        >>> prior = rl.Prior("se()", nodes=rl.grid(half_width=6, points_per_axis=40, support=5), units=60)
        >>> prior.units, prior.operator, prior.nodes
        (60, 'least-squares', <ridgelet.Nodes: 40 points of 1 input>)
    """,
    "Prior.draw_hidden": """
        >>> W, b = prior.draw_hidden(seed=3)
        >>> W.shape, b.shape
        ((60, 1), (60,))
    """,
    "Prior.given": """
        >>> prior.given(*prior.draw_hidden(seed=3)).prior.units
        60
    """,
    "Prior.sample": """
        >>> prior.sample(seed=3)
        <ridgelet.Network: 1 input, 1 hidden layer of 60 tanh units, 1 output>
    """,
    "activation_names": """
        >>> "tanh" in rl.activation_names()
        True
    """,
    "error_bound": """
        >>> sorted(rl.error_bound(units=1000))
        ['nodes', 'sigma_b', 'sigma_w', 'units']
    """,
    "error_split": """
        >>> nodes, finer = (rl.grid(half_width=6, points_per_axis=n, support=5) for n in (40, 80))
        >>> split = rl.error_split(rl.Prior("se()", nodes=nodes, operator="ridgelet"), finer, X, replicates=2)
        >>> split["total"] > split["nodes"]
        True
    """,
    "fit": """
        >>> fitted = rl.fit(X, y)                                # everything is learned or chosen
        >>> fitted = rl.fit(X, y, kernel="se()", noise=0.1)      # what is given stays
        >>> mean, sd = fitted.predict(X)
        >>> bool(abs(mean - y).max() < 0.1)
        True
    """,
    "gaussian_mmd2": """
        >>> rl.gaussian_mmd2([[1.0]], [[1.0]], 1.0)
        0.0
    """,
    "grid": """
        >>> rl.grid(half_width=6, points_per_axis=50, dimension=2, support=5)
        <ridgelet.Nodes: 2500 points of 2 inputs>
    """,
    "kernel": """
        >>> rl.kernel("se(lengthscale=[1, 2.5]) * periodic(period=2, active=[1])")
        ridgelet.kernel("se(amplitude=1, lengthscale=[1, 2.5]) * periodic(amplitude=1, lengthscale=1, period=2, active=[1])")
    """,
    "kernel_names": """
        >>> "matern32" in rl.kernel_names()
        True
    """,
    "learn": """
        >>> learned = rl.learn(X, y, kernel="se()")
        >>> len(learned["starts"]), learned["standardise"]
        (5, False)
    """,
    "load": """
        >>> fitted.save(folder + "/model.nc")
        >>> bool((rl.load(folder + "/model.nc").predict(X)[0] == fitted.predict(X)[0]).all())
        True
    """,
    "mollifier": """
        >>> rl.mollifier([[0.0], [6.0]], support=5, half_width=6)
        array([1., 0.])
    """,
    "ridgelet_activation_names": """
        >>> rl.ridgelet_activation_names()
        ['tanh', 'sigmoid', 'gaussian', 'relu']
    """,
    "setting_names": """
        >>> "kernel" in rl.setting_names()
        True
    """,
    "sobol": """
        >>> rl.sobol(half_width=6, points=128, dimension=5, support=5)
        <ridgelet.Nodes: 128 points of 5 inputs>
    """,
}
